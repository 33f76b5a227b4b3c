/** Minimum length of a common prefix of similar terms, which may be forms of one word. */
const minPrefixLength = 5

/** A set of terms that also finds similar terms. */
export class TermSet extends Set<string> {
  /** Terms by prefix, because a long question has hundreds of terms, and each is searched in every passage. */
  #byPrefix: ReadonlyMap<string, readonly string[]> | undefined

  /** 1 for a term of the set, 0.6 for a term with the same prefix (depart, departure), otherwise 0. */
  similarity(term: string): number {
    if (this.has(term)) return 1
    if (term.length < minPrefixLength) return 0
    this.#byPrefix ??= Map.groupBy(this, (each) => each.slice(0, minPrefixLength))
    const candidates = this.#byPrefix.get(term.slice(0, minPrefixLength)) ?? []
    return candidates.some((other) => haveCommonPrefix(term, other)) ? 0.6 : 0
  }
}

/** Whether the first 70 % of the longer term (at least `minPrefixLength` letters) are equal, without digits. */
function haveCommonPrefix(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  const needed = Math.max(minPrefixLength, Math.ceil(0.7 * Math.max(a.length, b.length)))
  return shorter >= needed && a.slice(0, needed) === b.slice(0, needed) && !/\d/.test(a)
}
