import { CairnError } from '@cairn/contract'
import { ChildError } from '../../lib/children/child-error.ts'
import { type ChildPool, createChildPool } from '../../lib/children/child-pool.ts'
import type { FairQueue, Tenant } from '../../lib/fair-queue.ts'
import { workerModule } from '../../lib/package.ts'
import {
  localScorers,
  type ScoredTexts,
  type ScoreResult,
  scoreLocally,
  withoutUncompared,
} from './local/index.ts'
import type { LocalResult, LocalTask } from './texts.ts'

type ScorerFunctions = typeof import('./worker.ts')

/**
 * Texts up to this total number of characters are scored on the event loop, which takes a few milliseconds, unless the
 * scorer loads a model of the language.
 */
const shortTexts = 1_000
/** Maximum traces of a project in one turn, and their approximate maximum bytes. */
const bodiesPerTurn = 10
const bytesPerTurn = 1_000_000
/** Time limit of a turn. One trace takes at most about a second. */
const turnMs = 30_000
/** Number of child processes. */
export const localScorersWidth = 2
const megabyte = 1024 * 1024
/** A part of the project's share in the queue for its batches, rules and runs, so that requests do not delay them. */
const background = 'background'
const failure = 'the scorer failed on these texts'

/** Runs local scorers in child processes, except simple ones on short texts; projects take turns. */
export class LocalScorers {
  readonly #queue: FairQueue
  readonly #children: ChildPool<ScorerFunctions>

  constructor(queue: FairQueue) {
    this.#queue = queue
    this.#children = createChildPool<ScorerFunctions>({
      module: workerModule('domains/scorers/worker'),
      width: localScorersWidth,
      timeoutMs: turnMs,
      // Enough to parse a trace of 10 MB.
      maxMemoryBytes: 512 * megabyte,
      maxReplyBytes: megabyte,
      // Loading the model of the language takes some hundred milliseconds.
      idleMs: 30_000,
    })
  }

  /** For a request. Rejects with the error of the queue if too many requests of the project wait. */
  score(projectId: string, slug: string, texts: ScoredTexts): Promise<ScoreResult> {
    return this.#score([projectId], slug, texts)
  }

  /** For background work. */
  scoreInBackground(
    projectId: string,
    slug: string,
    texts: ScoredTexts,
    signal: AbortSignal,
  ): Promise<ScoreResult> {
    return this.#score([projectId, background], slug, texts, signal)
  }

  /** Scores stored traces. Returns one result per body, in their order. Throws only the signal's reason. */
  async scoreBodies(
    projectId: string,
    scorer: Omit<LocalTask, 'traces'>,
    bodies: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<LocalResult[]> {
    const results: LocalResult[] = []
    for (const traces of turnsOf(bodies)) {
      const turn = () => this.#scoreTurn({ ...scorer, traces }, signal)
      results.push(...(await this.#queue.run([projectId, background], turn, signal)))
    }
    return results
  }

  close(): Promise<void> {
    return this.#children.close()
  }

  async #score(tenant: Tenant, slug: string, texts: ScoredTexts, signal?: AbortSignal): Promise<ScoreResult> {
    const { input = '', output, expected_output = '' } = texts
    const isShort = input.length + output.length + expected_output.length <= shortTexts
    if (isShort && !localScorers.get(slug)?.parses) return scoreLocally(slug, texts)
    const task = { slug, needsExpected: false, traces: [withoutUncompared(slug, texts)] }
    const [result] = await this.#queue
      .run(tenant, () => this.#run(task, signal), signal)
      .catch((error) => {
        signal?.throwIfAborted()
        throw error instanceof ChildError ? refusalOf(slug, error) : error
      })
    if (typeof result !== 'object' || result === null) throw new Error(failure)
    return result
  }

  async #scoreTurn(task: LocalTask, signal: AbortSignal): Promise<LocalResult[]> {
    try {
      return await this.#run(task, signal)
    } catch {
      signal.throwIfAborted()
      if (task.traces.length === 1) return [failure]
      // One trace has ended the child process. Each trace is scored by itself, so that the others get their scores.
      const results: LocalResult[] = []
      for (const trace of task.traces) {
        results.push(...(await this.#scoreTurn({ ...task, traces: [trace] }, signal)))
      }
      return results
    }
  }

  #run(task: LocalTask, signal?: AbortSignal): Promise<LocalResult[]> {
    return this.#children.run('scoreInChild', task, signal ? { signal } : {})
  }
}

function refusalOf(slug: string, { isUnavailable, message }: ChildError): CairnError {
  if (isUnavailable) {
    return new CairnError('overloaded', 'no child process for scorers is available; try again', {
      retryAfter: 5,
    })
  }
  return new CairnError(
    'invalid_request',
    `input, output or expected_output is too long for ${slug}: ${message}; shorten them`,
  )
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
