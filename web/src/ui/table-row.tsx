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
  cell: (row: Row) => ReactNode
}

export interface TableRowProps<Row> {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  selected: boolean
  tabStop: boolean
  className: string
  onClick: (row: Row) => void
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>, index: number) => void
}

/** One row, memoized so that scrolling does not render it again. */
export const TableRow = memo(function TableRow<Row>({
  row,
  index,
  columns,
  selected,
  tabStop,
  className,
  onClick,
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
