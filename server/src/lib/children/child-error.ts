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
}
