import type { Citation, ContextEntry } from '@cairn/contract'
import type { Candidate } from '../extractive/index.ts'

/** Maximum length of a snippet if no passage was found. */
const snippetLength = 300

/** Builds the citation of a response from the number of a context entry. */
export function toCitation(
  { index, snippet, score }: { index: number; snippet: string; score: number },
  context: readonly ContextEntry[],
): Citation {
  const entry = context[index]
  if (!entry) throw new Error('a citation points outside of the context')
  return { snippet, score, source: entry.filename, file_id: entry.file_id, chunk_id: entry.chunk_id }
}

/** The citations of an answer. The snippet of each one is the best passage of its chunk. */
export function toCitations(
  cited: readonly number[],
  passages: readonly Candidate[],
  context: readonly ContextEntry[],
): Citation[] {
  const best = new Map<number, string>()
  for (const { index, passage } of passages.toSorted((a, b) => b.score - a.score)) {
    if (!best.has(index)) best.set(index, passage.snippet)
  }
  return cited.flatMap((index) => {
    const entry = context[index]
    if (!entry) return []
    const snippet = best.get(index) ?? beginning(entry.chunk_text)
    return [toCitation({ index, snippet, score: entry.score }, context)]
  })
}

function beginning(text: string): string {
  if (text.length <= snippetLength) return text
  return text
    .slice(0, snippetLength)
    .replace(/\s+\S*$/, '')
    .toWellFormed()
}
