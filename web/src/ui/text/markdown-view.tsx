import type { ReactNode } from 'react'
import { CodeBlock } from '../copy-button.tsx'
import type { Block, Inline, ListItem } from './markdown.ts'
import { mediaAt } from './media.ts'
import { MediaView } from './media-view.tsx'

/** Shows a citation `[^N]`; `lead` is the Markdown before it. */
export type Cite = (index: number, lead: string, key: number) => ReactNode

const asWritten: Cite = (index) => `[^${index}]`

/** Markdown as React elements. Parts are keyed by index, since a streamed text only grows at its end. */
export function MarkdownView({ blocks, cite = asWritten }: { blocks: readonly Block[]; cite?: Cite }) {
  return <div className="flex min-w-0 flex-col gap-2">{showBlocks(blocks, cite)}</div>
}

function showBlocks(blocks: readonly Block[], cite: Cite): ReactNode {
  return blocks.map((block, key) => showBlock(block, key, cite))
}

function showBlock(block: Block, key: number, cite: Cite): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p key={key} dir="auto" className="whitespace-pre-line">
          {showInlines(block.content, cite)}
        </p>
      )
    case 'heading':
      return (
        <p key={key} dir="auto" className={block.level < 3 ? 'pt-1 text-lg font-semibold' : 'font-semibold'}>
          {showInlines(block.content, cite)}
        </p>
      )
    case 'code':
      return (
        <CodeBlock
          key={key}
          code={block.text}
          label="code"
          {...(block.language !== undefined && { language: block.language })}
        />
      )
    case 'list':
      return block.isOrdered ? (
        <ol key={key} start={block.start} className="flex list-decimal flex-col gap-1 ps-6">
          {showItems(block.items, cite)}
        </ol>
      ) : (
        <ul key={key} className="flex list-disc flex-col gap-1 ps-6">
          {showItems(block.items, cite)}
        </ul>
      )
    case 'table':
      return <TableBlock key={key} head={block.head} rows={block.rows} cite={cite} />
    case 'quote':
      return (
        <blockquote key={key} className="flex flex-col gap-2 border-s-2 ps-3 text-fg-2">
          {showBlocks(block.inner, cite)}
        </blockquote>
      )
    case 'rule':
      return <hr key={key} className="my-1" />
  }
}

function showItems(items: readonly ListItem[], cite: Cite): ReactNode {
  return items.map(({ content, inner, isDone }, key) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
    <li key={key} dir="auto" className={isDone === undefined ? undefined : 'list-none'}>
      {isDone !== undefined && (isDone ? '☑ ' : '☐ ')}
      {showInlines(content, cite)}
      {inner.length > 0 && <div className="mt-1 flex flex-col gap-1">{showBlocks(inner, cite)}</div>}
    </li>
  ))
}

function TableBlock({ head, rows, cite }: { head: Inline[][]; rows: Inline[][][]; cite: Cite }) {
  return (
    <div className="overflow-x-auto">
      <table className="border text-start">
        <thead className="bg-surface">
          <tr>
            {head.map((cell, key) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
              <th key={key} scope="col" dir="auto" className="border px-2 py-1 text-start font-medium">
                {showInlines(cell, cite)}
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
                <td key={key} dir="auto" className="border px-2 py-1">
                  {showInlines(cell, cite)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function showInlines(content: readonly Inline[], cite: Cite): ReactNode {
  return content.map((part, key) => showInline(part, key, cite))
}

function showInline(part: Inline, key: number, cite: Cite): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return (
        <code key={key} dir="ltr" className="rounded-sm bg-code px-1">
          {part.text}
        </code>
      )
    case 'strong':
      return <strong key={key}>{showInlines(part.content, cite)}</strong>
    case 'emphasis':
      return <em key={key}>{showInlines(part.content, cite)}</em>
    case 'deleted':
      return <del key={key}>{showInlines(part.content, cite)}</del>
    case 'link':
      return (
        <a
          key={key}
          className="link"
          href={part.href}
          title={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          <bdi>{showInlines(part.content, cite)}</bdi>
        </a>
      )
    case 'image': {
      const media = mediaAt(part.href)
      return media?.kind === 'image' ? (
        <MediaView key={key} media={media} alt={part.alt} />
      ) : (
        `![${part.alt}](${part.href})`
      )
    }
    case 'citation':
      return cite(part.index, part.lead, key)
  }
}
