/** A failure of the database. `sqlState` is the SQLSTATE class both databases share, where there is one. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly sqlState: string | undefined

  constructor(message: string, sqlState: string | undefined, cause?: unknown) {
    super(message, { cause })
    this.sqlState = sqlState
  }
}

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

/** Worth the same transaction again: serialization failure, deadlock, lost connection. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error)
  return state === '40001' || state === '40P01' || state === '08006'
}
