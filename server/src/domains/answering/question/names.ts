import { isStopWord } from '../../../lib/text.ts'

/** Maximum fraction of the entries without the names that are replaced. */
const maxReplaced = 0.75
const regExpSpecial = /[.*+?^${}()|[\]\\]/g

/** Returns a function that tells whether a text contains all names; always false if there are no names. */
export function namesMatcher(names: readonly string[]): (text: string) => boolean {
  const matchers = names.map(nameMatcher)
  return (text) => matchers.length > 0 && matchers.every((contains) => contains(text))
}

/**
 * Returns a function that finds a whole name in a text, ignoring case and white space. "Old Belford Mill" and
 * "Belford Mill Road" do not contain "Belford Mill", and neither do its separate words.
 */
function nameMatcher(name: string): (text: string) => boolean {
  const words = name.split(/\s+/).map((word) => word.replace(regExpSpecial, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu')
  // A number after a capitalized word is no longer name: "Net Sales 2018".
  const isNumber = /^\d+$/.test(name)
  return (text) => {
    for (const match of text.matchAll(pattern)) {
      if (isNumber || !isPartOfLongerName(text, match.index, match.index + match[0].length)) return true
    }
    return false
  }
}

/** Whether another capitalized word is directly before or after the range. */
function isPartOfLongerName(text: string, start: number, end: number): boolean {
  const before = /(\p{Lu}[\p{L}\p{N}]*) $/u.exec(text.slice(Math.max(0, start - 40), start))?.[1]
  const isLonger = before !== undefined && !isStopWord(before.toLowerCase())
  return isLonger || /^ \p{Lu}\p{Ll}/u.test(text.slice(end, end + 3))
}

/**
 * Replaces the last chunks of a search with chunks that contain the names of the question as a whole. Such a chunk
 * may match the other words of the question worse than chunks about similar things.
 *
 * @param found results of the whole question, best first
 * @param byName results of a search for the names only, best first
 */
export function preferNamed<T extends { chunk_id: string; chunk_text: string; score: number }>(
  found: readonly T[],
  byName: readonly T[],
  names: readonly string[],
): T[] {
  const containsNames = namesMatcher(names)
  const foundIds = new Set(found.map(({ chunk_id }) => chunk_id))
  const more = byName.filter(
    ({ chunk_id, chunk_text }) => !foundIds.has(chunk_id) && containsNames(chunk_text),
  )
  // Chunks that contain the names are never replaced.
  const others = found.filter(({ chunk_text }) => !containsNames(chunk_text))
  const count = Math.min(more.length, Math.floor(maxReplaced * others.length))
  const dropped = new Set(others.slice(others.length - count))
  const lowest = found.at(-1)?.score ?? 0
  const added = more.slice(0, count).map((entry) => ({ ...entry, score: Math.min(entry.score, lowest) }))
  return [...found.filter((entry) => !dropped.has(entry)), ...added]
}
