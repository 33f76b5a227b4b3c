import type { ContextEntry } from '@cairn/sdk'
import { useMemo } from 'react'
import { parseMarkdown } from '../../ui/text/markdown.ts'
import { type Cite, MarkdownView } from '../../ui/text/markdown-view.tsx'
import { CitationMark, type OpenPassage } from './citation-mark.tsx'
import { claimBefore } from './passage.ts'

/** The answer of a model, rendered from its Markdown; HTML in it is shown as text. */
export function AnswerText({
  text,
  context,
  onOpen,
}: {
  text: string
  context: readonly ContextEntry[]
  onOpen: OpenPassage
}) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  const cite: Cite = (index, lead, key) => (
    <CitationMark key={key} index={index} entry={context[index]} claim={claimBefore(lead)} onOpen={onOpen} />
  )
  return (
    <div className="max-w-prose min-w-0 break-words">
      <MarkdownView blocks={blocks} cite={cite} />
    </div>
  )
}
