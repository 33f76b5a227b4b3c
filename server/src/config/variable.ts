export interface Variable<T> {
  name: string
  /** For the reference; what the server does without it is in `fallback`. */
  doc: string
  fallback: T
  /** Shown in the reference where the fallback alone would not tell. */
  fallbackDoc?: string
  secret?: boolean
  /** It keeps one project from slowing down others; the server's page shows it with its value. */
  isLimit?: boolean
  /** Throws a plain Error that says what is expected; the variable's name is added outside. */
  parse: (text: string) => T
}

/** Keeps the type of one variable while the table stays an ordinary object. */
export function variable<T>(definition: Variable<T>): Variable<T> {
  return definition
}
