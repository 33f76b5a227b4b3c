/** Terms that agree in so many first letters may be forms of one word. */
const leastBeginning = 5

/** A set of terms that also finds terms alike. */
export class TermSet extends Set<string> {
  /** A pasted question has hundreds of terms, and each is looked for in every passage. */
  #byBeginning: ReadonlyMap<string, readonly string[]> | undefined

  /** 1 for a term of the set, less for one with the same beginning (depart, departure), otherwise 0. */
  holds(term: string): number {
    if (this.has(term)) return 1
    if (term.length < leastBeginning) return 0
    this.#byBeginning ??= Map.groupBy(this, (each) => each.slice(0, leastBeginning))
    const alike = this.#byBeginning.get(term.slice(0, leastBeginning)) ?? []
    return alike.some((other) => sameBeginning(term, other)) ? 0.6 : 0
  }
}

function sameBeginning(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  const needed = Math.max(leastBeginning, Math.ceil(0.7 * Math.max(a.length, b.length)))
  return shorter >= needed && a.slice(0, needed) === b.slice(0, needed) && !/\d/.test(a)
}
