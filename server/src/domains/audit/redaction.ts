/** Replaces a secret. */
const removed = '[removed]'
/** Replaces the rest of a body that is too long or too deep. */
const cut = '… [cut]'

/** The maximum number of characters and levels of a body in an entry. */
const maxSize = { characters: 4000, depth: 12 }

/** Names of fields whose value is removed, whatever its type. */
const secretNames =
  /secret|passw|passphrase|^pass$|pwd|token|(?:api|private|access|secret)[-_]?key|auth(?!or(?!i))|credential|cookie|signature/i
/** Numbers in fields such as `max_tokens` are amounts, not secrets. */
const amountNames = /tokens$/i

/** A text is searched for secrets up to this length; an entry contains a much shorter part of it. */
const searchedCharacters = 20_000

/** Patterns of secrets inside a text. Their repetitions are bounded, because a caller could slow down unbounded ones. */
const secretTexts: readonly [RegExp, string][] = [
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#]{0,2000}@/gi, `$1${removed}@`],
  // ?token=…&api_key=…
  [
    /([?&;][^=&\s]{0,60}(?:secret|passw|pwd|token|key|auth|credential|sig)[^=&\s]{0,60}=)[^&#\s"']+/gi,
    `$1${removed}`,
  ],
  [/\b(bearer|basic) +(?=\S{0,200}\d)[\w.~+/=-]{8,}/gi, `$1 ${removed}`],
  [/\b(tk_|sk-|whsec_|xox[a-z]-|gh[a-z]_)(?=\S{0,200}\d)[\w-]{8,}/g, `$1${removed}`],
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*/g, removed],
]

/** Removes the known secrets and everything that looks like a secret, and cuts the text to 20,000 characters. */
export function withoutSecrets(text: string, known: readonly string[]): string {
  const rest = known.reduce((left, secret) => left.replaceAll(secret, removed), text)
  const searched = rest.slice(0, searchedCharacters)
  return secretTexts.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), searched)
}

function isAmount(name: string, value: unknown): boolean {
  return amountNames.test(name) && (typeof value === 'number' || value === null)
}

/** Copies a JSON value without its secrets, up to the maximum number of characters. */
class Copier {
  readonly #known: readonly string[]
  #left = maxSize.characters

  constructor(known: readonly string[]) {
    this.#known = known
  }

  copy(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value !== 'object' || value === null) return this.#take(8) ? value : cut
    if (depth === maxSize.depth || !this.#take(2)) return cut
    return Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth)
  }

  #take(characters: number): boolean {
    this.#left -= characters
    return this.#left >= 0
  }

  #text(text: string): string {
    const clean = withoutSecrets(text, this.#known)
    const left = Math.max(0, this.#left)
    // Two characters for the quotes; otherwise any number of empty texts would fit.
    this.#left -= clean.length + 2
    return clean.length > left ? clean.slice(0, left) + cut : clean
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const items: unknown[] = []
    for (const item of list) {
      if (this.#left <= 0) return [...items, cut]
      items.push(this.copy(item, depth + 1))
    }
    return items
  }

  #fields(object: object, depth: number): unknown {
    const fields: [string, unknown][] = []
    for (const [name, value] of Object.entries(object)) {
      if (this.#left <= 0) return Object.fromEntries([...fields, [cut, cut]])
      const secret = secretNames.test(name) && !isAmount(name, value)
      fields.push([this.#text(name), secret ? removed : this.copy(value, depth + 1)])
    }
    return Object.fromEntries(fields)
  }
}

/**
 * Returns the copy of a request body for an audit entry: without secrets, and cut after 4,000 characters or 12 levels.
 * `known` are secrets to remove wherever they occur.
 */
export function redact(body: unknown, known: readonly string[]): unknown {
  return body == null ? null : new Copier(known).copy(body)
}
