import clsx from 'clsx'
import { type KeyboardEvent, memo, type ReactNode } from 'react'

export interface Column<Row> {
  id: string
  title: string
  /** Initial width in pixels. The column with `grow` takes the remaining width. */
  width: number
  grow?: boolean
  /** Numbers go to the right. */
  align?: 'right'
  /** Hidden until the reader chooses the column. */
  hidden?: boolean
  /** The list can be sorted by this column. */
  sortable?: boolean
  cell: (row: Row) => ReactNode
}

export interface TableRowProps<Row> {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  selected: boolean
  tabStop: boolean
  /** Whether the row is marked; undefined in a table whose rows cannot be marked. */
  marked?: boolean | undefined
  className: string
  onClick: (row: Row) => void
  onMark: (index: number, isRange: boolean) => void
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>, index: number) => void
}

/** One row, memoized so that scrolling does not render it again. */
export const TableRow = memo(function TableRow<Row>({
  row,
  index,
  columns,
  selected,
  tabStop,
  marked,
  className,
  onClick,
  onMark,
  onKeyDown,
}: TableRowProps<Row>) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 1}
      aria-current={selected ? true : undefined}
      tabIndex={tabStop ? 0 : -1}
      onClick={() => onClick(row)}
      onKeyDown={(event) => onKeyDown(event, index)}
      className={className}
    >
      {marked !== undefined && (
        // The whole cell takes the click, because a checkbox is easy to miss and the row would open.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox and the key x do the same
        <td
          className="h-8 cursor-default border-b text-center"
          onClick={(event) => {
            event.stopPropagation()
            onMark(index, event.shiftKey)
          }}
        >
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select row ${index + 1}`}
            className="block mx-auto accent-accent"
            checked={marked}
            readOnly
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={clsx(
            'h-8 truncate border-b px-3',
            // The last column leaves room for the button that chooses columns.
            column.align === 'right' && 'text-right tabular-nums last:pr-9',
          )}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: TableRowProps<Row> & { key?: string }) => ReactNode
