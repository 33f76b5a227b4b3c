/** A range of characters of a text. */
export interface Range {
  start: number
  end: number
}

/** The words of a text in lower case, without punctuation. */
function wordsOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.toLowerCase())
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}

/**
 * The sentence of a chunk that supports a claim. A sentence that contains the claim word for word wins, else the sentence
 * with the largest weight of shared words. Rare words weigh more. Undefined if no word is shared.
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
    // Between sentences that share equally much, the shorter one is more precise.
    score /= Math.sqrt(1 + words.size / 40)
    if (score > most) {
      best = { start, end }
      most = score
    }
  }
  return best
}

/** Extends a range to whole sentences. */
function wholeSentences(sentences: readonly Range[], { start, end }: Range): Range {
  const touched = sentences.filter((one) => one.start < end && one.end > start)
  return {
    start: Math.min(start, touched[0]?.start ?? start),
    end: Math.max(end, touched.at(-1)?.end ?? end),
  }
}

/** The sentences of a text, trimmed. A wrapped line does not end a sentence. */
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

/** The last sentence of a text, without markup. */
export function claimBefore(text: string): string {
  const plain = text
    .replace(/\[\^\d+\]/g, '')
    .replace(/[*`]/g, '')
    .trimEnd()
  const last = sentencesOf(plain).at(-1)
  return last ? plain.slice(last.start, last.end) : ''
}
