import type { ChatModel } from '../../models/chat.ts'
import { type PassagePair, relationRequest } from './prompt.ts'
import { readReply } from './reply.ts'
import type { Passage, Relation, SourcedRelation } from './types.ts'

/** Pairs per call. Pairs of one call have most of their passages in common. */
const pairsPerCall = 20
/** Maximum pairs of a document that a model gets, which bounds the cost. A text of about 130 chunks has as many. */
const maxPairs = 400
/** Relations of the model with a lower confidence are dropped. */
const minConfidence = 0.3

interface Task {
  model: ChatModel
  passages: readonly Passage[]
  /** Relations of the local method, which are used for pairs without a result of the model. */
  local: readonly Relation[]
  signal: AbortSignal
}

/**
 * Finds relations with a model. The model gets pairs of neighbours, and the pairs that the local method found. The
 * local method decides pairs above the maximum, and pairs of failed calls or invalid replies. After a failed call, no
 * more calls are made.
 *
 * @throws only the reason of the signal
 */
export async function relateByModel(task: Task): Promise<SourcedRelation[]> {
  const { passages, local } = task
  const pairs = pairsToAsk(passages.length, local)
  const decided = new Set<string>()
  const found: SourcedRelation[] = []
  for (let from = 0; from < pairs.length; from += pairsPerCall) {
    const batch = pairs.slice(from, from + pairsPerCall)
    const reply = await ask(task, batch)
    if (reply === 'failed') break
    if (reply === 'invalid') continue
    for (const { earlier, later } of batch) decided.add(`${earlier} ${later}`)
    for (const relation of reply.filter(({ confidence }) => confidence >= minConfidence)) {
      found.push({ ...relation, method: 'model', model: task.model.name })
    }
  }
  const others = local.filter((relation) => !decided.has(keyOf(relation)))
  return [...found, ...others.map((relation) => ({ ...relation, method: 'local' as const }))]
}

function keyOf({ source, target }: Relation): string {
  return `${Math.min(source, target)} ${Math.max(source, target)}`
}

/** Pairs in the order of the document, so that the pairs of one call have passages in common. */
function pairsToAsk(passages: number, local: readonly Relation[]): PassagePair[] {
  const pairs = new Map<string, PassagePair>()
  for (let later = 1; later < passages; later++) {
    pairs.set(`${later - 1} ${later}`, { earlier: later - 1, later })
  }
  for (const relation of local) {
    const [earlier, later] = [
      Math.min(relation.source, relation.target),
      Math.max(relation.source, relation.target),
    ]
    pairs.set(keyOf(relation), { earlier, later })
  }
  const inOrder = [...pairs.values()].sort((a, b) => a.later - b.later || a.earlier - b.earlier)
  return inOrder.slice(0, maxPairs)
}

async function ask(
  { model, passages, signal }: Task,
  pairs: readonly PassagePair[],
): Promise<Relation[] | 'failed' | 'invalid'> {
  try {
    const { value } = await model.object(relationRequest(passages, pairs), signal)
    return readReply(value, pairs) ?? 'invalid'
  } catch {
    signal.throwIfAborted()
    return 'failed'
  }
}
