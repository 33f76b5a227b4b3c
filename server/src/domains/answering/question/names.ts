import { isStopWord } from '../../../lib/text.ts'

/** Share of the entries without the names that may give way. */
const replaced = 0.75
const special = /[.*+?^${}()|[\]\\]/g

/** Whether a text says all of the names; never when there are none. */
export function namesMatcher(names: readonly string[]): (text: string) => boolean {
  const matchers = names.map(nameMatcher)
  return (text) => matchers.length > 0 && matchers.every((says) => says(text))
}

/**
 * Finds a name as a whole in a text: "Belford Mill" is not said by "Old Belford Mill" or "Belford Mill Road", nor by its
 * words apart from each other. White space and case are not told apart.
 */
function nameMatcher(name: string): (text: string) => boolean {
  const words = name.split(/\s+/).map((word) => word.replace(special, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu')
  return (text) => {
    for (const match of text.matchAll(pattern)) {
      if (!goesOn(text, match.index, match.index + match[0].length)) return true
    }
    return false
  }
}

/** Whether another capitalised word stands directly before or behind, as a part of a longer name. */
function goesOn(text: string, start: number, end: number): boolean {
  const before = /(\p{Lu}[\p{L}\p{N}]*) $/u.exec(text.slice(Math.max(0, start - 40), start))?.[1]
  const isLonger = before !== undefined && !isStopWord(before.toLowerCase())
  return isLonger || /^ \p{Lu}\p{Ll}/u.test(text.slice(end, end + 3))
}

/**
 * What was found for a question, with what was found for its names alone in place of the last of it, as far as that says
 * them whole: of many things that are alike, one is asked for, and its chunk may say little else of the question.
 */
export function withNamed<T extends { chunk_id: string; chunk_text: string; score: number }>(
  found: readonly T[],
  byName: readonly T[],
  names: readonly string[],
): T[] {
  const saysNames = namesMatcher(names)
  const there = new Set(found.map(({ chunk_id }) => chunk_id))
  const more = byName.filter(({ chunk_id, chunk_text }) => !there.has(chunk_id) && saysNames(chunk_text))
  // What says the names already keeps its place.
  const others = found.filter(({ chunk_text }) => !saysNames(chunk_text))
  const room = Math.min(more.length, Math.floor(replaced * others.length))
  const dropped = new Set(others.slice(others.length - room))
  const least = found.at(-1)?.score ?? 0
  const added = more.slice(0, room).map((entry) => ({ ...entry, score: Math.min(entry.score, least) }))
  return [...found.filter((entry) => !dropped.has(entry)), ...added]
}
