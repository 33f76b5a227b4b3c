import type { ContextEntry } from '@cairn/sdk'
import { type ReactNode, useMemo } from 'react'
import { CitationMark, type OpenPassage } from './citation-mark.tsx'
import { type Block, type Inline, type ListItem, parseMarkdown } from './markdown.ts'

type Cite = (index: number, claim: string, key: number) => ReactNode

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
  const cite: Cite = (index, claim, key) => (
    <CitationMark key={key} index={index} entry={context[index]} claim={claim} onOpen={onOpen} />
  )
  return <div className="flex max-w-prose min-w-0 flex-col gap-2 break-words">{showBlocks(blocks, cite)}</div>
}

/** Parts are keyed by index, since a streamed text only grows at its end. */
function showBlocks(blocks: readonly Block[], cite: Cite): ReactNode {
  return blocks.map((block, key) => showBlock(block, key, cite))
}

function showBlock(block: Block, key: number, cite: Cite): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p key={key} className="whitespace-pre-line">
          {showInline(block.content, cite)}
        </p>
      )
    case 'heading':
      return (
        <p key={key} className="font-semibold">
          {showInline(block.content, cite)}
        </p>
      )
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines too
        <pre key={key} tabIndex={0} className="overflow-x-auto rounded-md border bg-code p-2">
          <code>{block.text}</code>
        </pre>
      )
    case 'list':
      return block.isOrdered ? (
        <ol key={key} start={block.start} className="flex list-decimal flex-col gap-1 pl-6">
          {showItems(block.items, cite)}
        </ol>
      ) : (
        <ul key={key} className="flex list-disc flex-col gap-1 pl-6">
          {showItems(block.items, cite)}
        </ul>
      )
    case 'table':
      return <AnswerTable key={key} head={block.head} rows={block.rows} cite={cite} />
  }
}

function showItems(items: readonly ListItem[], cite: Cite): ReactNode {
  return items.map(({ content, inner }, key) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
    <li key={key}>
      {showInline(content, cite)}
      {inner.length > 0 && <div className="mt-1 flex flex-col gap-1">{showBlocks(inner, cite)}</div>}
    </li>
  ))
}

function AnswerTable({ head, rows, cite }: { head: Inline[][]; rows: Inline[][][]; cite: Cite }) {
  return (
    <div className="overflow-x-auto">
      <table className="border text-left">
        <thead className="bg-surface">
          <tr>
            {head.map((cell, key) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
              <th key={key} scope="col" className="border px-2 py-1 font-medium">
                {showInline(cell, cite)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
            <tr key={at}>
              {row.map((cell, key) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
                <td key={key} className="border px-2 py-1">
                  {showInline(cell, cite)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function showInline(content: readonly Inline[], cite: Cite): ReactNode {
  return content.map((part, key) => showPart(part, key, cite))
}

function showPart(part: Inline, key: number, cite: Cite): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code key={key}>{part.text}</code>
    case 'strong':
      return <strong key={key}>{showInline(part.content, cite)}</strong>
    case 'emphasis':
      return <em key={key}>{showInline(part.content, cite)}</em>
    case 'citation':
      return cite(part.index, part.claim, key)
  }
}
