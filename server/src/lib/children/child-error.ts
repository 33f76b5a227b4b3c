/**
 * Why a task has no reply: it exceeded the time limit (`time`) or the memory limit (`memory`), its reply was too large
 * (`reply`), its process ended (`crashed`), its function threw (`threw`), no process could start (`start`), or the pool
 * was closed (`closed`).
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
