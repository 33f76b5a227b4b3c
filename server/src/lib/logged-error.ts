/**
 * An error for the log. Only safe fields are copied, because database drivers put values of requests into other fields,
 * such as `detail`.
 */
export function loggedError(cause: unknown): Record<string, unknown> {
  if (!(cause instanceof Error)) return { name: typeof cause }
  return { name: cause.name, message: cause.message, stack: cause.stack }
}
