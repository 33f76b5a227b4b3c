import type { ChatModel } from '../../models/chat.ts'
import { type PairToJudge, relationRequest } from './prompt.ts'
import { readReply } from './reply.ts'
import type { MadeRelation, Passage, Relation } from './types.ts'

/** Pairs of one call; they share most of their passages. */
const pairsPerCall = 20
/** Pairs of a document that are paid for at most: those of a text of about 130 chunks. */
const mostPairs = 400
/** Below it, a relation that the model names is not kept. */
const leastConfidence = 0.3

interface Task {
  model: ChatModel
  passages: readonly Passage[]
  /** What the local method says; it stands where the model does not answer. */
  local: readonly Relation[]
  signal: AbortSignal
}

/**
 * The relations of passages as a model judges them: neighbours, and what the local method found further apart. Pairs
 * beyond a bound, and those of calls that failed or answered nonsense, are left to the local method. After a call that
 * failed no further one is made. Throws only the signal's reason.
 */
export async function relateByModel(task: Task): Promise<MadeRelation[]> {
  const { passages, local } = task
  const pairs = pairsToJudge(passages.length, local)
  const judged = new Set<string>()
  const made: MadeRelation[] = []
  for (let from = 0; from < pairs.length; from += pairsPerCall) {
    const batch = pairs.slice(from, from + pairsPerCall)
    const answer = await ask(task, batch)
    if (answer === 'failed') break
    if (answer === 'nonsense') continue
    for (const { earlier, later } of batch) judged.add(`${earlier} ${later}`)
    for (const relation of answer.filter(({ confidence }) => confidence >= leastConfidence)) {
      made.push({ ...relation, method: 'model', model: task.model.name })
    }
  }
  const others = local.filter((relation) => !judged.has(keyOf(relation)))
  return [...made, ...others.map((relation) => ({ ...relation, method: 'local' as const }))]
}

function keyOf({ source, target }: Relation): string {
  return `${Math.min(source, target)} ${Math.max(source, target)}`
}

/** In the order of the document, so that a call is about a few passages. */
function pairsToJudge(passages: number, local: readonly Relation[]): PairToJudge[] {
  const keys = new Map<string, PairToJudge>()
  for (let later = 1; later < passages; later++) {
    keys.set(`${later - 1} ${later}`, { earlier: later - 1, later })
  }
  for (const relation of local) {
    const [earlier, later] = [
      Math.min(relation.source, relation.target),
      Math.max(relation.source, relation.target),
    ]
    keys.set(keyOf(relation), { earlier, later })
  }
  const inOrder = [...keys.values()].sort((a, b) => a.later - b.later || a.earlier - b.earlier)
  return inOrder.slice(0, mostPairs)
}

async function ask(
  { model, passages, signal }: Task,
  pairs: readonly PairToJudge[],
): Promise<Relation[] | 'failed' | 'nonsense'> {
  try {
    const { value } = await model.object(relationRequest(passages, pairs), signal)
    return readReply(value, pairs) ?? 'nonsense'
  } catch {
    signal.throwIfAborted()
    return 'failed'
  }
}
