import { Child } from '../../lib/children/child.ts'
import { ChildError } from '../../lib/children/child-error.ts'
import { workerModule } from '../../lib/package.ts'
import type { ModelFiles } from './folder.ts'
import { LocalModelError } from './folder.ts'

const megabyte = 1024 * 1024

export interface LocalProcessOptions {
  /** Reads the files of the model, at each start of the process. */
  read: () => Promise<ModelFiles>
  /** Time limit of one step, and of loading the model. */
  timeoutMs?: number
  /** How long the process stays without work, because loading takes a second or more. */
  idleMs?: number
  maxMemoryBytes?: number
}

/** A part of a call that the process carries out at once. */
interface Step {
  name: 'embed' | 'rank'
  task: unknown
}

/** A call with its steps; the call with the fewest finished steps goes on next. */
interface Waiting {
  done: number
  start: () => void
}

const watchMs = 500
/** A day of work; the operating system then ends the process, and the next step starts it again. */
const maxCpuSeconds = 86_400

/**
 * A long-lived process without rights that runs one model. It starts with the first step, and ends if it is idle, crashes or
 * exceeds a limit; the next step starts it again.
 *
 * Steps run one at a time. The next one belongs to the call with the fewest finished steps, so that a question waits for the
 * running step of a long document, and not for the whole document.
 */
export class LocalProcess {
  readonly #options: Required<LocalProcessOptions>
  readonly #waiting: Waiting[] = []
  #isBusy = false
  #child: Promise<Child> | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LocalProcessOptions) {
    this.#options = { timeoutMs: 60_000, idleMs: 600_000, maxMemoryBytes: 2048 * megabyte, ...options }
  }

  /**
   * Carries out the steps of a call, in order. Throws ChildError, LocalModelError, or the signal's reason; a step that has
   * begun is finished.
   */
  async run(steps: readonly Step[], signal?: AbortSignal): Promise<Float32Array[]> {
    const results: Float32Array[] = []
    for (const step of steps) {
      await this.#turn(results.length, signal)
      try {
        results.push(await this.#carryOut(step).catch((error) => this.#again(step, error)))
      } finally {
        this.#isBusy = false
        this.#next()
      }
    }
    return results
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  /** Resolves when the process is free for the call. */
  #turn(done: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      reject(signal?.reason)
    }
    const start = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    const waiting = { done, start }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.push(waiting)
    this.#next()
    return promise
  }

  #next(): void {
    if (this.#isBusy) return
    const fewest = Math.min(...this.#waiting.map(({ done }) => done))
    const at = this.#waiting.findIndex(({ done }) => done === fewest)
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1)
    clearTimeout(this.#idle)
    if (!next) {
      this.#idle = setTimeout(() => this.#stop(), this.#options.idleMs).unref()
      return
    }
    this.#isBusy = true
    next.start()
  }

  /** A process may have been killed before or during the step, for example because the machine had no memory left. */
  #again(step: Step, error: unknown): Promise<Float32Array> {
    if (error instanceof ChildError && error.reason === 'crashed') return this.#carryOut(step)
    throw error
  }

  async #carryOut(step: Step): Promise<Float32Array> {
    if (this.#isClosed) throw new ChildError('closed', 'the server is stopping')
    const child = await this.#living()
    const { maxMemoryBytes } = this.#options
    const watch = setInterval(() => {
      if (child.residentBytes > maxMemoryBytes) child.fail('memory', 'it took more memory than the limit')
    }, watchMs)
    try {
      return (await child.call(step, () => {})) as Float32Array
    } finally {
      clearInterval(watch)
      if (child.hasEnded || !child.restorePriority()) this.#stop()
    }
  }

  /** The running process, or a new one if it has ended. */
  async #living(): Promise<Child> {
    try {
      const running = await this.#child
      if (running && !running.hasEnded) return running
      this.#child = this.#start()
      return await this.#child
    } catch (error) {
      this.#child = undefined
      throw error
    }
  }

  async #start(): Promise<Child> {
    const { read, maxMemoryBytes, timeoutMs } = this.#options
    const files = await read()
    const child = new Child({
      module: workerModule('models/local/worker'),
      maxMemoryBytes,
      maxCpuSeconds,
      maxReplyBytes: 64 * megabyte,
      timeoutMs,
      yields: true,
      compilesStrings: false,
    })
    try {
      await child.ready()
      await child.call({ name: 'load', task: files }, () => {})
      return child
    } catch (error) {
      child.end()
      throw error instanceof ChildError && error.reason === 'threw' ? explain(error) : error
    }
  }

  #stop(): void {
    clearTimeout(this.#idle)
    this.#child?.then((child) => child.end()).catch(() => {})
    this.#child = undefined
  }
}

function explain({ message }: ChildError): LocalModelError {
  return /Cannot find (?:package|module) 'onnxruntime-web'/.test(message)
    ? new LocalModelError(
        'local models need the package onnxruntime-web; install it beside Cairn: npm install onnxruntime-web@1.30.0',
      )
    : new LocalModelError(`the model cannot be loaded: ${message}`)
}
