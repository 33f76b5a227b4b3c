import { type Language, tokenize } from '../../../lib/text.ts'

/** Maximum characters and distinct terms that are read, because a question may contain a whole pasted text. */
const [maxLength, maxTerms] = [16_000, 256]
const identifier = /[a-z][A-Z]|[_`\d]|::/

/** The terms of a question. They are tokenized once per language, also if several indexes are searched. */
export class Query {
  readonly text: string
  readonly #terms = new Map<Language, readonly [term: string, count: number][]>()

  constructor(text: string) {
    this.text = text
  }

  /** Whether the question contains identifiers, codes or numbers. */
  get hasIdentifiers(): boolean {
    return identifier.test(this.text.slice(0, maxLength))
  }

  /** The first distinct terms, stemmed for a language, and how often each one occurs in the question. */
  termsIn(language: Language): readonly [term: string, count: number][] {
    const known = this.#terms.get(language)
    if (known) return known
    const counts = new Map<string, number>()
    for (const term of tokenize(this.text.slice(0, maxLength), language)) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    const terms = [...counts].slice(0, maxTerms)
    this.#terms.set(language, terms)
    return terms
  }
}
