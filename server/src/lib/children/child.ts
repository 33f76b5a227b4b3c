import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { ChildError, type ChildErrorReason } from './child-error.ts'
import { FrameReader, FrameTooLargeError, frameOf } from './frames.ts'
import { type LaunchOptions, launch, trySetPriority, usualNiceness } from './launch.ts'
import { residentBytes } from './memory.ts'
import { type Call, channel, type Message } from './messages.ts'

export interface ChildOptions extends LaunchOptions {
  /** Maximum bytes of a reply. */
  maxReplyBytes: number
  /** Time limit of a task. */
  timeoutMs: number
}

/** After this time, a task gets a thirtieth of the server's share of a core, so that short tasks go first. */
const [longMs, longNiceness] = [2_000, 15]
/** Time limit for the start of a process on a busy machine. */
export const startMs = 30_000
/** Length of the end of its standard error that is kept for the log. */
const stderrLength = 2_000

type Pending = PromiseWithResolvers<unknown> & { onProgress: (progress: unknown) => void }

/** A process that runs one task at a time. A failed task ends it, unless the task's function threw. */
export class Child {
  readonly #options: ChildOptions
  readonly #process: ChildProcess
  readonly #channel: Duplex
  readonly #reader: FrameReader
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #isReady = false
  #isLowered = false
  #pending: Pending | undefined
  #failure: ChildError | undefined
  #stderr = ''

  constructor(options: ChildOptions) {
    this.#options = options
    this.#reader = new FrameReader(options.maxReplyBytes)
    this.#process = launch(options)
    this.#channel = this.#process.stdio[channel] as Duplex
    this.#ready.promise.catch(() => {})
    this.#channel.on('data', (piece: Buffer) => this.#read(piece))
    // Writing to a killed child fails; the exit of the child reports the same.
    this.#channel.on('error', () => {})
    this.#process.stderr?.on('data', (piece: Buffer) => {
      this.#stderr = (this.#stderr + piece.toString('latin1')).slice(-stderrLength)
    })
    this.#process.on('error', (cause) => {
      this.#end(new ChildError('start', 'the process did not start', { cause }))
      if (this.#process.pid === undefined) this.#ended.resolve()
    })
    this.#process.on('close', () => {
      this.#end(this.#crash())
      this.#ended.resolve()
    })
    const timer = setTimeout(() => this.fail('start', 'the process did not start in time'), startMs)
    this.#ready.promise.finally(() => clearTimeout(timer)).catch(() => {})
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  /** Restores the priority that a long task has lost; false if the system does not allow it. */
  restorePriority(): boolean {
    return !this.#isLowered || trySetPriority(this.#process.pid, usualNiceness)
  }

  /** Resident memory in bytes; 0 if the system does not report it. */
  get residentBytes(): number {
    return this.#process.pid === undefined ? 0 : residentBytes(this.#process.pid)
  }

  /** Resolves when the child can run tasks. @throws ChildError */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Runs a task and returns its reply. The time limit starts now. @throws ChildError */
  async call(call: Call, onProgress: (progress: unknown) => void): Promise<unknown> {
    if (this.#failure) throw this.#failure
    const { timeoutMs } = this.#options
    const pending = { ...Promise.withResolvers<unknown>(), onProgress }
    this.#pending = pending
    const timer = setTimeout(() => this.fail('time', `it took longer than ${timeoutMs} ms`), timeoutMs)
    const lowering = setTimeout(() => {
      this.#isLowered = true
      trySetPriority(this.#process.pid, longNiceness)
    }, longMs)
    for (const part of frameOf(call)) this.#channel.write(part)
    try {
      return await pending.promise
    } finally {
      clearTimeout(timer)
      clearTimeout(lowering)
      this.#pending = undefined
    }
  }

  /** Ends the process immediately. */
  end(): void {
    this.fail('closed', 'the process was ended')
  }

  /** Ends the process immediately; a running task fails with this reason. */
  fail(reason: ChildErrorReason, message: string): void {
    this.#end(new ChildError(reason, message))
  }

  #read(piece: Buffer): void {
    if (this.#failure) return
    try {
      for (const message of this.#reader.push(piece)) this.#take(message as Message)
    } catch (cause) {
      const reason = cause instanceof FrameTooLargeError ? 'reply' : 'crashed'
      this.#end(new ChildError(reason, 'the reply is too large, or damaged', { cause }))
    }
  }

  #take(message: Message): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#ready.resolve()
    } else if (message.kind === 'progress') this.#pending?.onProgress(message.progress)
    else if (message.kind === 'reply') this.#pending?.resolve(message.reply)
    else this.#pending?.reject(new ChildError('threw', message.message))
  }

  /** The error of a process that ended by itself. */
  #crash(): ChildError {
    const { exitCode, signalCode } = this.#process
    const end = `the process ended with ${signalCode ?? exitCode}`
    const cause = new Error(this.#stderr)
    // Without a first task, standard error is about the server's own code.
    if (!this.#isReady) return new ChildError('start', `${end} before it was ready: ${this.#stderr}`)
    if (/out of memory/i.test(this.#stderr))
      return new ChildError('memory', 'it took too much memory', { cause })
    return new ChildError('crashed', end, { cause })
  }

  #end(failure: ChildError): void {
    if (this.#failure) return
    this.#failure = failure
    this.#process.kill('SIGKILL')
    this.#channel.destroy()
    this.#ready.reject(failure)
    this.#pending?.reject(failure)
  }
}
