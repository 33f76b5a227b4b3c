import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'

/** Number of entries that are shown at first, and that each click adds. */
const step = 100
const shownText = 2000

/** JSON as a tree whose nodes expand and collapse. Only expanded nodes are rendered. */
export function JsonTree({ value, label, depth = 2 }: { value: unknown; label: string; depth?: number }) {
  return (
    <ul aria-label={label} className="font-mono text-sm break-words">
      {Array.isArray(value) || entriesOf(value)?.length === 0 || !entriesOf(value) ? (
        <JsonNode value={value} openTo={depth} />
      ) : (
        <Entries entries={entriesOf(value) ?? []} openTo={depth} />
      )}
    </ul>
  )
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

function JsonNode({ name, value, openTo }: { name?: string; value: unknown; openTo: number }) {
  const entries = entriesOf(value)
  const [open, setOpen] = useState(openTo > 0)
  const key = name !== undefined && <span className="text-fg-2">{name}: </span>
  if (!entries || entries.length === 0) {
    return (
      <li className="pl-4">
        {key}
        <Leaf value={value} />
      </li>
    )
  }
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
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
        <span className="ml-1 text-fg-3">{size}</span>
      </button>
      {open && (
        <ul className="ml-1.5 border-l pl-2">
          <Entries entries={entries} openTo={openTo - 1} />
        </ul>
      )}
    </li>
  )
}

function Entries({ entries, openTo }: { entries: [string, unknown][]; openTo: number }) {
  const [shown, setShown] = useState(step)
  return (
    <>
      {entries.slice(0, shown).map(([name, value]) => (
        <JsonNode key={name} name={name} value={value} openTo={openTo} />
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" className="link pl-4" onClick={() => setShown(shown + step)}>
            {entries.length - shown} more
          </button>
        </li>
      )}
    </>
  )
}

function Leaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false)
  if (typeof value !== 'string')
    return <span className="text-info">{JSON.stringify(value) ?? 'undefined'}</span>
  const long = value.length > shownText && !whole
  return (
    <span className="whitespace-pre-wrap">
      {long ? value.slice(0, shownText) : value}
      {long && (
        <button type="button" className="link ml-1" onClick={() => setWhole(true)}>
          … show all
        </button>
      )}
    </span>
  )
}
