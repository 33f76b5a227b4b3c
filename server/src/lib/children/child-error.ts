/**
 * Why a task in a child has no reply:
 *
 * - `time`, `memory`: it exceeded the limit
 * - `reply`: its reply was too large
 * - `crashed`: its process ended
 * - `threw`: its function threw
 * - `start`: no process could start
 * - `closed`: the pool was closed
 */
export type ChildErrorReason = 'time' | 'memory' | 'reply' | 'crashed' | 'threw' | 'start' | 'closed'

export class ChildError extends Error {
  override readonly name = 'ChildError'
  readonly reason: ChildErrorReason

  constructor(reason: ChildErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }

  /** The task exceeded a limit, so another try would fail too. */
  get isOverLimit(): boolean {
    return this.reason === 'time' || this.reason === 'memory' || this.reason === 'reply'
  }

  /** No child could run the task; the input is not the cause. */
  get isUnavailable(): boolean {
    return this.reason === 'start' || this.reason === 'closed'
  }
}
