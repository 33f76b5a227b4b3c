import clsx from 'clsx'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import { Input } from '../../ui/field.tsx'
import { plural } from '../../ui/format.ts'
import { excerptOf, find, type Item, type Model } from './model.ts'
import { useGraphSearch } from './use-graph-search.ts'

const mostShown = 20

/** The search field. In the graph a chosen node is brought into view; in the list the text filters the rows. */
export function GraphFinder({ model }: { model: Model | undefined }) {
  const { search, change } = useGraphSearch()
  return (
    <NodePicker
      model={model}
      label="Find chunks and documents"
      placeholder="Find by words"
      className="w-44 max-sm:w-auto max-sm:flex-1"
      listClassName="w-[min(28rem,calc(100vw-32px))] max-sm:right-0 sm:left-0"
      search
      text={search.q ?? ''}
      onText={(text) => change({ q: text || undefined }, { replace: true })}
      onPick={({ id }) => change({ node: id, relationship: undefined })}
      quiet={search.view === 'list'}
    />
  )
}

/** A search field with matching nodes below it; arrow keys and Enter choose a node. */
export function NodePicker({
  model,
  label,
  placeholder = label,
  className = 'w-full',
  listClassName = 'w-full',
  search,
  text,
  onText,
  onPick,
  quiet,
  accept = () => true,
}: {
  model: Model | undefined
  label: string
  placeholder?: string
  className?: string
  listClassName?: string
  /** The key `/` focuses this field. */
  search?: boolean
  text: string
  onText: (text: string) => void
  onPick: (item: Item) => void
  /** Opens no list of matches, since the text filters a table. */
  quiet?: boolean
  accept?: (item: Item) => boolean
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const sought = useDeferredValue(text)
  const found = useMemo(() => (model ? find(model, sought) : []).filter(accept), [model, sought, accept])
  const shown = found.slice(0, mostShown)
  const isOpen = open && !quiet && text.trim() !== ''
  const pick = (item: Item | undefined) => {
    if (!item) return
    setOpen(false)
    onPick(item)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, shown.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter' && isOpen) pick(shown[at])
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else return
    event.preventDefault()
  }
  return (
    <div className={clsx('relative min-w-0', className)}>
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && shown[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        {...(search && { 'data-search': true })}
        value={text}
        onChange={(event) => {
          setOpen(true)
          setAt(0)
          onText(event.target.value)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        hidden={!isOpen}
        className={clsx('absolute top-8 z-30 rounded-md border bg-raised', listClassName)}
      >
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className={clsx('max-h-80 overflow-auto', found.length > 0 && 'p-1')}
        >
          {shown.map((item, index) => (
            <div
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={clsx(
                'flex cursor-pointer items-baseline gap-2 rounded-sm px-2 py-1',
                index === at && 'bg-hover',
              )}
              onPointerDown={(event) => {
                event.preventDefault()
                pick(item)
              }}
              onPointerEnter={() => setAt(index)}
            >
              <span className="min-w-0 flex-1 truncate">{excerptOf(item, sought)}</span>
              <span className="shrink-0 text-sm text-fg-3">
                {item.kind === 'document'
                  ? 'Document'
                  : `${model?.byId.get(item.fileId)?.text ?? ''} · ${item.order + 1}`}
              </span>
            </div>
          ))}
        </div>
        <p className={clsx('px-3 py-1 text-sm text-fg-3', found.length > 0 && 'border-t')} role="status">
          {found.length === 0
            ? 'No chunk or document contains these words'
            : found.length > shown.length
              ? `The first ${shown.length} of ${plural(found.length, 'node')}`
              : plural(found.length, 'node')}
        </p>
      </div>
    </div>
  )
}
