/** A range of characters of a text. */
export interface Range {
  start: number
  end: number
}

/** Words that say something; letters of scripts without spaces count one by one. */
function wordsOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase())
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}

/**
 * The sentence of a chunk that says what an answer claims: the one that holds it word for word, else the one that shares
 * most words with it, rare ones of the chunk counting more. Undefined when none shares any.
 */
export function passageOf(chunk: string, claim: string): Range | undefined {
  const wanted = new Set(wordsOf(claim))
  if (wanted.size === 0) return undefined
  const exact = claim === '' ? -1 : chunk.indexOf(claim)
  const ranges = sentencesOf(chunk)
  if (exact >= 0) return wholeSentences(ranges, { start: exact, end: exact + claim.length })
  const sentences = ranges.map((range) => ({
    ...range,
    words: new Set(wordsOf(chunk.slice(range.start, range.end))),
  }))
  const weights = new Map(
    [...wanted].map((word) => [word, 1 / (1 + sentences.filter(({ words }) => words.has(word)).length)]),
  )
  let best: Range | undefined
  let most = 0
  for (const { start, end, words } of sentences) {
    let score = 0
    for (const word of words) score += weights.get(word) ?? 0
    // Of two that share as much, the shorter one says it better.
    score /= Math.sqrt(1 + words.size / 40)
    if (score > most) {
      best = { start, end }
      most = score
    }
  }
  return best
}

/** A range with the beginning and the end of the sentences that it lies in. */
function wholeSentences(sentences: readonly Range[], { start, end }: Range): Range {
  const touched = sentences.filter((one) => one.start < end && one.end > start)
  return {
    start: Math.min(start, touched[0]?.start ?? start),
    end: Math.max(end, touched.at(-1)?.end ?? end),
  }
}

/** The sentences of a text without the white space around them. A line that goes on in the next one ends none. */
export function sentencesOf(text: string): Range[] {
  const ranges: Range[] = []
  const flowing = text.replace(/(?<=\S)[ \t]*\r?\n(?=[^\s#|*-])/g, (end) => ' '.repeat(end.length))
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(flowing)
  for (const { segment, index } of segments) {
    const trimmed = segment.trim()
    if (trimmed === '') continue
    const start = index + segment.indexOf(trimmed)
    ranges.push({ start, end: start + trimmed.length })
  }
  return ranges
}
