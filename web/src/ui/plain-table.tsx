import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface PlainColumn<Row> {
  id: string
  title: string
  /** The title is only for screen readers. */
  quiet?: boolean
  /** Numbers go to the right. */
  align?: 'right'
  /** The text may wrap. */
  wrap?: boolean
  cell: (row: Row) => ReactNode
}

/** A short table inside a page: all rows are rendered, and the table scrolls sideways on narrow screens. */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowClass,
}: {
  label: string
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowClass?: (row: Row) => string | undefined
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it too
    <div className="relative min-w-0 overflow-x-auto" tabIndex={0}>
      <table aria-label={label} className="w-full border-t text-left">
        <thead className="text-sm text-fg-2">
          <tr>
            {columns.map(({ id, title, align, quiet }) => (
              <th
                key={id}
                scope="col"
                className={clsx(
                  'h-8 border-b px-2 font-medium whitespace-nowrap first:pl-0 last:pr-0',
                  align === 'right' && 'text-right',
                )}
              >
                {quiet ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={rowClass?.(row)}>
              {columns.map(({ id, align, wrap, cell }) => (
                <td
                  key={id}
                  className={clsx(
                    'h-8 border-b px-2 py-0.5 first:pl-0 last:pr-0',
                    wrap ? 'min-w-40 break-words' : 'whitespace-nowrap',
                    align === 'right' && 'text-right tabular-nums',
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
