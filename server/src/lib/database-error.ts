/** A failure of the database. `sqlState` is the SQLSTATE class both databases share, where there is one. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly sqlState: string | undefined

  constructor(message: string, sqlState: string | undefined, cause?: unknown) {
    super(message, { cause })
    this.sqlState = sqlState
  }
}

/** SQLSTATE query_canceled. */
export const statementTimeout = '57014'

function stateOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.sqlState
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return undefined
}

/** A unique or primary key constraint refused the row. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(error) === '23505'
}

/** The row that this one hangs on does not exist (any more). */
export function isForeignKeyViolation(error: unknown): boolean {
  return stateOf(error) === '23503'
}

/** A column that has to have a value was given none. */
export function isNotNullViolation(error: unknown): boolean {
  return stateOf(error) === '23502'
}

/** The statement took longer than its connection allows. */
export function isStatementTimeout(error: unknown): boolean {
  return stateOf(error) === statementTimeout
}

/** SQLSTATE classes and system errors that say there is no server, or none that takes work now. */
const unavailable = /^(?:08|57P0|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH)/

/** The database cannot be reached, is going away, or has no connection to spare. */
export function isUnavailable(error: unknown): boolean {
  if (unavailable.test(stateOf(error) ?? '')) return true
  // The driver gives these two no code.
  const message = error instanceof Error ? error.message : ''
  return /^(?:Connection terminated|timeout exceeded when trying to connect)/.test(message)
}

/** Worth the same transaction again: serialization failure, deadlock, lost connection. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error)
  return state === '40001' || state === '40P01' || state === '08006'
}
