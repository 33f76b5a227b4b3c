import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exactNumber } from './text/exact-json.ts'
import { mediaAt } from './text/media.ts'
import { MediaView } from './text/media-view.tsx'

/** Number of entries that are shown at first, and that each click adds. */
const step = 100
/** Lists and objects with more entries are collapsed at first, except for the outermost. */
const mostOpened = 30
const shownText = 2000

/** JSON as a tree whose nodes expand and collapse. Only expanded nodes are rendered. */
export function JsonTree({ value, label, depth = 2 }: { value: unknown; label: string; depth?: number }) {
  const isOpen = isTree(value) && !Array.isArray(value) && sizeOf(value) > 0 && depth > 0
  return (
    <ul aria-label={label} dir="ltr" className="font-mono text-sm wrap-anywhere">
      {isOpen ? <Entries value={value} openTo={depth} /> : <JsonNode value={value} openTo={depth} isRoot />}
    </ul>
  )
}

type Tree = Record<string, unknown> | readonly unknown[]

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && exactNumber(value) === undefined
}

function sizeOf(value: Tree): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function JsonNode({
  name,
  value,
  openTo,
  isRoot,
}: {
  name?: string
  value: unknown
  openTo: number
  isRoot?: boolean
}) {
  const size = useMemo(() => (isTree(value) ? sizeOf(value) : 0), [value])
  const [open, setOpen] = useState(openTo > 0 && (isRoot === true || size <= mostOpened))
  const key = name !== undefined && <bdi className="text-fg-2">{name}: </bdi>
  if (!isTree(value) || size === 0) {
    return (
      <li className="pl-4">
        {key}
        <Leaf value={value} />
      </li>
    )
  }
  const Icon = open ? ChevronDown : ChevronRight
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        className="inline-flex min-h-6 max-w-full items-center rounded-sm text-left hover:bg-hover"
        onClick={() => setOpen(!open)}
      >
        <Icon size={12} className="mr-1 shrink-0 text-fg-3" aria-hidden="true" />
        {key}
        <span className="ml-1 text-fg-3">{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
      </button>
      {open && (
        <ul className="ml-1.5 border-l pl-2">
          <Entries value={value} openTo={openTo - 1} />
        </ul>
      )}
    </li>
  )
}

function Entries({ value, openTo }: { value: Tree; openTo: number }) {
  const [shown, setShown] = useState(step)
  const names = useMemo(() => (Array.isArray(value) ? undefined : Object.keys(value)), [value])
  const size = names ? names.length : (value as readonly unknown[]).length
  const entries = Array.from({ length: Math.min(shown, size) }, (_, at) => {
    const name = names ? (names[at] as string) : String(at)
    return [name, (value as Record<string, unknown>)[name]] as const
  })
  return (
    <>
      {entries.map(([name, one]) => (
        <JsonNode key={name} name={name} value={one} openTo={openTo} />
      ))}
      {size > shown && (
        <li>
          <button type="button" className="link pl-4" onClick={() => setShown(shown + step)}>
            {size - shown} more
          </button>
        </li>
      )}
    </>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <TextLeaf text={value} />
  const exact = exactNumber(value)
  if (exact !== undefined) return <span className="text-info">{exact}</span>
  return <span className="text-info">{isTree(value) ? emptyTree(value) : String(value)}</span>
}

const emptyTree = (value: Tree) => (Array.isArray(value) ? '[]' : '{}')

/** A text; images and sounds in it are shown, other long texts are cut at first. */
function TextLeaf({ text }: { text: string }) {
  const [end, setEnd] = useState(shownText)
  const media = text.startsWith('data:') ? mediaAt(text) : undefined
  if (media) {
    return (
      <>
        <span>{text.slice(0, 40)}…</span>
        <span className="block py-1">
          <MediaView media={media} />
        </span>
      </>
    )
  }
  return (
    <bdi className="whitespace-pre-wrap">
      {text.slice(0, end)}
      {text.length > end && (
        <button type="button" className="link ml-1" onClick={() => setEnd(end + 50 * shownText)}>
          … show more
        </button>
      )}
    </bdi>
  )
}
