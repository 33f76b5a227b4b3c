export interface Variable<T> {
  name: string
  /** Description for the reference page. */
  doc: string
  fallback: T
  /** Replaces `fallback` in the reference if the bare value would not explain the default. */
  fallbackDoc?: string
  secret?: boolean
  /** The setting protects projects from each other; the server's page shows its value. */
  isLimit?: boolean
  /** Throws a plain Error that describes the expected value; the caller adds the name of the variable. */
  parse: (text: string) => T
}

/** Infers the type of one variable, so that the table can be an ordinary object. */
export function variable<T>(definition: Variable<T>): Variable<T> {
  return definition
}
