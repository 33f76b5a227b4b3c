/** A failure of the database. `sqlState` is the SQLSTATE class, if both databases have one for it. */
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

/** A unique or primary key constraint rejected the row. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(error) === '23505'
}

/** The row that a foreign key refers to does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return stateOf(error) === '23503'
}

/** A column that must have a value received NULL. */
export function isNotNullViolation(error: unknown): boolean {
  return stateOf(error) === '23502'
}

/** PostgreSQL rejects text with NUL, also in a condition. SQLite finds nothing with it. */
export function isInvalidText(error: unknown): boolean {
  return stateOf(error) === '22021'
}

/** The statement exceeded the time limit of its connection. */
export function isStatementTimeout(error: unknown): boolean {
  return stateOf(error) === statementTimeout
}

/** SQLSTATE classes and system errors for an unreachable server, or a server that accepts no work now. */
const unavailable = /^(?:08|57P0|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH)/

/** The database cannot be reached, is shutting down, or has no free connection. */
export function isUnavailable(error: unknown): boolean {
  if (unavailable.test(stateOf(error) ?? '')) return true
  // The driver sets no code for these two errors.
  const message = error instanceof Error ? error.message : ''
  return /^(?:Connection terminated|timeout exceeded when trying to connect)/.test(message)
}

/** The same transaction may succeed in another try: serialization failure, deadlock, lost connection. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error)
  return state === '40001' || state === '40P01' || state === '08006'
}
