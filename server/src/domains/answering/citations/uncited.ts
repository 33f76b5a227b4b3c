import { splitSentences } from '../../../lib/text.ts'

const marker = /\[\^\d+\]/
/** A terminator with the markers behind it, which belong to the sentence before them. */
const markersBehind = /([.!?…。！？]["'”’»)\]]*)((?:\s*\[\^\d+\])+)/g
const fence = /^[\t >]*(`{3}|~{3})/
const heading = /^#{1,6}\s/
const letters = /\p{L}{2}/u

export interface CitedSentences {
  sentences: number
  /** Sentences without a citation. */
  uncited: number
}

/** The text without fenced code blocks. */
function withoutCode(text: string): string {
  let open: string | undefined
  const kept = text.split('\n').filter((line) => {
    const mark = fence.exec(line)?.[1]
    const isCode = open !== undefined || mark !== undefined
    if (mark !== undefined) open = open === undefined ? mark : open === mark ? undefined : open
    return !isCode
  })
  return kept.join('\n')
}

/** Counts the sentences of an answer. Headings, code blocks, and lines that introduce a list make no statement. */
export function countCitedSentences(answer: string): CitedSentences {
  const text = withoutCode(answer).replace(
    markersBehind,
    (_, end: string, markers: string) => `${markers}${end}`,
  )
  const statements = splitSentences(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => letters.test(sentence) && !heading.test(sentence) && !sentence.endsWith(':'))
  return {
    sentences: statements.length,
    uncited: statements.filter((sentence) => !marker.test(sentence)).length,
  }
}
