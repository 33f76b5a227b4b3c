import { type Language, tokenize } from '../../../lib/text.ts'

/** Characters of a question that are read, and different words of them: a whole text may be pasted into one. */
const [mostRead, mostWords] = [16_000, 256]
const identifier = /[a-z][A-Z]|[_`\d]|::/

/** The words of a question. They are tokenized once for each language of documents, however many indexes are searched. */
export class Query {
  readonly text: string
  readonly #terms = new Map<Language, readonly [term: string, count: number][]>()

  constructor(text: string) {
    this.text = text
  }

  /** Whether the question has identifiers, codes or numbers. */
  get hasIdentifiers(): boolean {
    return identifier.test(this.text.slice(0, mostRead))
  }

  /** The different terms of the first words, and how often each one occurs in the question. */
  termsIn(language: Language): readonly [term: string, count: number][] {
    const known = this.#terms.get(language)
    if (known) return known
    const counts = new Map<string, number>()
    for (const term of tokenize(this.text.slice(0, mostRead), language)) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    const terms = [...counts].slice(0, mostWords)
    this.#terms.set(language, terms)
    return terms
  }
}
