/**
 * Why a task in a child has no reply: it took longer, or more memory, than it may; its reply was too large; its process
 * ended in the middle of it; its function threw; no process could be started; the pool was closed.
 */
export type ChildErrorReason = 'time' | 'memory' | 'reply' | 'crashed' | 'threw' | 'start' | 'closed'

export class ChildError extends Error {
  override readonly name = 'ChildError'
  readonly reason: ChildErrorReason

  constructor(reason: ChildErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }

  /** The task needs more than it may have: another try would end the same way. */
  get isOverLimit(): boolean {
    return this.reason === 'time' || this.reason === 'memory' || this.reason === 'reply'
  }

  /** No child could work on the task, whatever is in it. */
  get isUnavailable(): boolean {
    return this.reason === 'start' || this.reason === 'closed'
  }
}
