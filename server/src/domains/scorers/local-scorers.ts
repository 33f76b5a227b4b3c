import { CairnError } from '@cairn/contract'
import { ChildError } from '../../lib/children/child-error.ts'
import { type ChildPool, createChildPool } from '../../lib/children/child-pool.ts'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { workerModule } from '../../lib/package.ts'
import { type Judged, type Judgement, judgeLocally, withoutUncompared } from './local/index.ts'
import type { LocalResult, LocalTask } from './texts.ts'

type JudgeFunctions = typeof import('./worker.ts')

/** Texts of so many characters together are judged on the event loop: that takes a few milliseconds. */
const shortTexts = 1_000
/** Bodies of traces that a project has judged in one turn, and about how many bytes they have together. */
const bodiesPerTurn = 10
const bytesPerTurn = 1_000_000
/** A trace takes a second at most; past this its judge has failed. */
const turnMs = 30_000
/** Children that judge at the same time. */
export const localJudgesWidth = 2
const megabyte = 1024 * 1024
/** Stands in a project's share for its batches, rules and runs, which requests to judge do not crowd out. */
const background = 'background'
const failure = 'the judge could not be carried out'

/** Judges without a model, in a child process; projects take turns. */
export class LocalJudges {
  readonly #queue: FairQueue
  readonly #children: ChildPool<JudgeFunctions>

  constructor(queue: FairQueue) {
    this.#queue = queue
    this.#children = createChildPool<JudgeFunctions>({
      module: workerModule('domains/scorers/worker'),
      width: localJudgesWidth,
      timeoutMs: turnMs,
      // A trace of 10 MB is parsed within it.
      maxMemoryBytes: 512 * megabyte,
      maxReplyBytes: megabyte,
    })
  }

  /** For a request: throws the refusal of the queue when too many of the project wait. */
  judge(projectId: string, slug: string, judged: Judged): Promise<Judgement> {
    return this.#judge([projectId], slug, judged)
  }

  /** For background work. */
  judgeInBackground(
    projectId: string,
    slug: string,
    judged: Judged,
    signal: AbortSignal,
  ): Promise<Judgement> {
    return this.#judge([projectId, background], slug, judged, signal)
  }

  /** A result for each stored trace, in their order. Throws only the signal's reason. */
  async judgeBodies(
    projectId: string,
    scorer: Omit<LocalTask, 'traces'>,
    bodies: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<LocalResult[]> {
    const results: LocalResult[] = []
    for (const traces of turnsOf(bodies)) {
      const turn = () => this.#judgeTurn({ ...scorer, traces }, signal)
      results.push(...(await this.#queue.run([projectId, background], turn, signal)))
    }
    return results
  }

  close(): Promise<void> {
    return this.#children.close()
  }

  async #judge(tenant: Tenant, slug: string, judged: Judged, signal?: AbortSignal): Promise<Judgement> {
    const { input = '', output, expected_output = '' } = judged
    if (input.length + output.length + expected_output.length <= shortTexts) return judgeLocally(slug, judged)
    const task = { slug, needsExpected: false, traces: [withoutUncompared(slug, judged)] }
    const [result] = await this.#queue
      .run(tenant, () => this.#run(task, signal), signal)
      .catch((error) => {
        signal?.throwIfAborted()
        throw error instanceof ChildError ? refusalOf(slug, error) : error
      })
    if (typeof result !== 'object' || result === null) throw new Error(failure)
    return result
  }

  async #judgeTurn(task: LocalTask, signal: AbortSignal): Promise<LocalResult[]> {
    try {
      return await this.#run(task, signal)
    } catch {
      signal.throwIfAborted()
      if (task.traces.length === 1) return [failure]
      // One of them ended the child: the others are judged all the same.
      const results: LocalResult[] = []
      for (const trace of task.traces) {
        results.push(...(await this.#judgeTurn({ ...task, traces: [trace] }, signal)))
      }
      return results
    }
  }

  #run(task: LocalTask, signal?: AbortSignal): Promise<LocalResult[]> {
    return this.#children.run('judgeInChild', task, signal ? { signal } : {})
  }
}

function refusalOf(slug: string, { isUnavailable, message }: ChildError): CairnError {
  if (isUnavailable) {
    return new CairnError('overloaded', 'the server cannot judge at the moment; try again', { retryAfter: 5 })
  }
  return new CairnError('invalid_request', `the texts are too much for ${slug}: ${message}; shorten them`)
}

function* turnsOf(bodies: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let turn: Uint8Array[] = []
  let bytes = 0
  for (const body of bodies) {
    if (turn.length > 0 && (turn.length === bodiesPerTurn || bytes + body.length > bytesPerTurn)) {
      yield turn
      turn = []
      bytes = 0
    }
    turn.push(body)
    bytes += body.length
  }
  if (turn.length > 0) yield turn
}
