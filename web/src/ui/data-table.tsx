import { useVirtualizer } from '@tanstack/react-virtual'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { IconButton } from './button.tsx'
import { withRows } from './marked-rows.ts'
import { Menu, MenuCheck, MenuLabel } from './menu.tsx'
import { useStored } from './stored.ts'
import { type Column, TableRow } from './table-row.tsx'

export type { Column }

const rowHeight = 32
const minWidth = 48
const markWidth = 36
/** Least width of a growing column, beside an open panel and on a phone; the table then scrolls sideways. */
const leastGrown = 160

interface TableState {
  widths: Record<string, number>
  shown: Record<string, boolean>
}

export interface DataTableProps<Row> {
  name: string
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Number of all rows, if it is known. */
  total?: number
  /** Key of the open row. */
  selected?: string | undefined
  onOpen?: (row: Row) => void
  onEnd?: () => void
  /** Shown below the last row, such as a note that more rows are loading. */
  footer?: ReactNode
  rowClass?: (row: Row) => string | undefined
  /** The column that the list is sorted by; a click on the head of a sortable column calls `onSort`. */
  sort?: Sort | undefined
  onSort?: (column: string) => void
  /** Keys of the marked rows; with `onMark`, rows have checkboxes. */
  marked?: ReadonlySet<string>
  onMark?: (marked: ReadonlySet<string>) => void
  /** Maximum number of marked rows. */
  maxMarked?: number
  /** Identifies the list: another list is shown from its beginning. */
  list?: string
  /** The rows are those of an earlier request, while newer ones load. */
  stale?: boolean
}

export interface Sort {
  column: string
  order: 'asc' | 'desc'
}

/**
 * A table of any length: only visible rows are rendered, and `onEnd` is called near the last row. Arrow keys, j and k move
 * through the rows; Enter and a click open a row. The browser stores widths and hidden columns under `name`.
 */
export function DataTable<Row>({
  name,
  label,
  columns,
  rows,
  rowKey,
  total,
  selected,
  onOpen,
  onEnd,
  footer,
  rowClass,
  sort,
  onSort,
  marked,
  onMark,
  maxMarked = Number.POSITIVE_INFINITY,
  list,
  stale = false,
}: DataTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const [state, setState] = useStored<TableState>(`table.${name}`, { widths: {}, shown: {} })
  const isShown = (column: Column<Row>) => state.shown[column.id] ?? !column.hidden
  const visible = useMemo(
    () => columns.filter(({ id, hidden }) => state.shown[id] ?? !hidden),
    [columns, state.shown],
  )
  const widthOf = (column: Column<Row>) => state.widths[column.id] ?? column.width

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd?.()
  }, [last, rows.length, onEnd])

  // Rows added at the top must not move the rows that the reader sees.
  const firstKey = useRef<string>(undefined)
  const shownList = useRef(list)
  useLayoutEffect(() => {
    const element = scroller.current
    const [first] = rows
    if (shownList.current !== list) {
      shownList.current = list
      firstKey.current = first && rowKey(first)
      if (element) element.scrollTop = 0
      return
    }
    const before = firstKey.current
    firstKey.current = first && rowKey(first)
    if (!element || element.scrollTop === 0 || before === undefined || before === firstKey.current) return
    const moved = rows.findIndex((row) => rowKey(row) === before)
    if (moved > 0) element.scrollTop += moved * rowHeight
  }, [rows, rowKey, list])

  const before = items[0]?.start ?? 0
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0))
  const openAt = (index: number) => {
    const row = rows[index]
    if (!row) return
    virtual.scrollToIndex(index)
    onOpen?.(row)
  }
  const focusAt = (index: number) => {
    if (index < 0 || index >= rows.length) return
    virtual.scrollToIndex(index)
    const focus = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
      row?.focus()
      return row
    }
    // A row out of sight is rendered in the next frame.
    if (!focus()) requestAnimationFrame(focus)
    if (selected !== undefined) openAt(index)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, index: number) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'ArrowDown' || event.key === 'j') focusAt(index + 1)
    else if (event.key === 'ArrowUp' || event.key === 'k') focusAt(index - 1)
    else if (event.key === 'Enter') openAt(index)
    else if (event.key === 'x' && onMark) markAt(index, false)
    else return
    event.preventDefault()
  }
  const lastMarked = useRef(0)
  /** Marks or unmarks a row; a range goes from the row that was clicked before. */
  const markAt = (index: number, isRange: boolean) => {
    const row = rows[index]
    if (!marked || !row) return
    const isOn = !marked.has(rowKey(row))
    const [from, to] = isRange ? [lastMarked.current, index].sort((a, b) => a - b) : [index, index]
    lastMarked.current = index
    onMark?.(withRows(marked, rows.slice(from, (to ?? index) + 1).map(rowKey), isOn, maxMarked))
  }
  // Stable handlers keep memoized rows from rendering again.
  const handlers = useRef({ onOpen, onKeyDown, markAt })
  handlers.current = { onOpen, onKeyDown, markAt }
  const onRowMark = useCallback(
    (index: number, isRange: boolean) => handlers.current.markAt(index, isRange),
    [],
  )
  const onRowClick = useCallback((row: Row) => handlers.current.onOpen?.(row), [])
  const onRowKeyDown = useCallback(
    (event: KeyboardEvent<HTMLTableRowElement>, index: number) => handlers.current.onKeyDown(event, index),
    [],
  )
  const least = visible.reduce(
    (sum, column) => sum + (column.grow ? Math.min(leastGrown, widthOf(column)) : widthOf(column)),
    marked ? markWidth : 0,
  )
  const selectedAt = useMemo(
    () => (selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected)),
    [rows, rowKey, selected],
  )
  // Tab reaches one row: the open row, else the first visible row.
  const tabStop = selectedAt >= 0 ? selectedAt : (items[0]?.index ?? 0)

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div ref={scroller} className="min-h-0 flex-1 overflow-auto" data-scroller>
        <table
          aria-label={label}
          aria-rowcount={total ?? rows.length}
          className="w-full table-fixed border-separate border-spacing-0"
          style={{ minWidth: least }}
        >
          <colgroup>
            {marked && <col style={{ width: markWidth }} />}
            {visible.map((column) => (
              <col key={column.id} style={column.grow ? undefined : { width: widthOf(column) }} />
            ))}
          </colgroup>
          <thead className="sticky top-0 z-10 bg-surface">
            <tr>
              {marked && (
                <th scope="col" className="h-8 border-b">
                  <MarkAll
                    marked={marked}
                    keys={rows.slice(0, maxMarked).map(rowKey)}
                    total={rows.length}
                    onChange={(next) => onMark?.(next)}
                  />
                </th>
              )}
              {visible.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  aria-sort={sortOf(column.id, sort)}
                  className={clsx(
                    'relative h-8 truncate border-b px-3 text-sm font-medium text-fg-2 last:pr-9',
                    column.align === 'right' ? 'text-right' : 'text-left',
                  )}
                >
                  {column.sortable && onSort ? (
                    <SortButton title={column.title} sort={sort} column={column.id} onSort={onSort} />
                  ) : (
                    column.title
                  )}
                  <ColumnEdge
                    width={widthOf(column)}
                    onChange={(width) =>
                      setState({ ...state, widths: { ...state.widths, [column.id]: width } })
                    }
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody aria-busy={stale || undefined} className={clsx(stale && 'opacity-50 transition-opacity')}>
            {before > 0 && <tr style={{ height: before }} />}
            {items.map(({ index }) => {
              const row = rows[index] as Row
              const key = rowKey(row)
              return (
                <TableRow
                  key={key}
                  row={row}
                  index={index}
                  columns={visible}
                  selected={key === selected}
                  tabStop={index === tabStop}
                  marked={marked?.has(key)}
                  className={clsx(
                    'h-8 -outline-offset-2',
                    onOpen && 'cursor-pointer hover:bg-hover',
                    key === selected && 'bg-selected',
                    marked?.has(key) && 'bg-selected',
                    rowClass?.(row),
                  )}
                  onClick={onRowClick}
                  onMark={onRowMark}
                  onKeyDown={onRowKeyDown}
                />
              )
            })}
            {after > 0 && <tr style={{ height: after }} />}
          </tbody>
        </table>
        {footer && <div className="px-4 py-2 text-fg-3">{footer}</div>}
      </div>
      <div className="absolute top-0 right-0 z-10 flex h-8 items-center border-b bg-surface px-1">
        <Menu
          trigger={
            <IconButton label="Columns">
              <Columns3 size={14} />
            </IconButton>
          }
        >
          <MenuLabel>Columns</MenuLabel>
          {columns.map((column) => (
            <MenuCheck
              key={column.id}
              checked={isShown(column)}
              onChange={(checked) => setState({ ...state, shown: { ...state.shown, [column.id]: checked } })}
            >
              {column.title}
            </MenuCheck>
          ))}
        </Menu>
      </div>
    </div>
  )
}

function sortOf(column: string, sort: Sort | undefined) {
  if (sort?.column !== column) return undefined
  return sort.order === 'asc' ? 'ascending' : 'descending'
}

/** The title of a sortable column, with an arrow if the list is sorted by it. */
function SortButton({
  title,
  sort,
  column,
  onSort,
}: {
  title: string
  sort: Sort | undefined
  column: string
  onSort: (column: string) => void
}) {
  const order = sort?.column === column ? sort.order : undefined
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      title={`Sort by ${title.toLowerCase()}`}
      className={clsx('group relative max-w-full align-middle font-medium', order && 'text-fg')}
      onClick={() => onSort(column)}
    >
      <span className="block truncate">{title}</span>
      {/* In the padding of the head, so that the title keeps its width. */}
      <Arrow
        size={11}
        aria-hidden="true"
        className={clsx(
          'absolute top-1/2 left-full ml-px -translate-y-1/2',
          !order && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
        )}
      />
    </button>
  )
}

/** Marks all loaded rows up to the maximum, or none. */
function MarkAll({
  marked,
  keys,
  total,
  onChange,
}: {
  marked: ReadonlySet<string>
  keys: readonly string[]
  total: number
  onChange: (marked: ReadonlySet<string>) => void
}) {
  const isWhole = keys.length > 0 && keys.every((key) => marked.has(key))
  const label = keys.length < total ? `Select the first ${keys.length} rows` : 'Select all loaded rows'
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      className="mx-auto block accent-accent"
      checked={isWhole}
      ref={(box) => {
        if (box) box.indeterminate = marked.size > 0 && !isWhole
      }}
      onChange={() => onChange(isWhole ? new Set() : new Set(keys))}
    />
  )
}

/** The right edge of a column head: dragging it changes the width of the column. */
function ColumnEdge({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const start = useRef({ x: 0, width: 0 })
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be dragged
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label="Column width"
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={1000}
      tabIndex={-1}
      className="absolute top-1 right-0 h-6 w-1.5 cursor-col-resize touch-none border-r hover:border-accent"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const head = event.currentTarget.parentElement
        start.current = { x: event.clientX, width: head?.offsetWidth ?? width }
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        onChange(Math.max(minWidth, start.current.width + event.clientX - start.current.x))
      }}
    />
  )
}
