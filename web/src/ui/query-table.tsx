import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { type Query, QueryState } from './states/query-state.tsx'

/** The rows of a query in a table that takes all the room; before them the query's state, such as its error. */
export function QueryTable<Row>({
  query,
  queryName,
  skeletonRows,
  empty,
  ...table
}: Omit<DataTableProps<Row>, 'rows'> & {
  query: Query<readonly Row[]>
  /** For the texts of the states; by default made from the label, such as `the chats`. */
  queryName?: string
  skeletonRows?: number
  /** Shown for an empty list. */
  empty: ReactNode
}) {
  return (
    <QueryState
      query={query}
      name={queryName ?? `the ${table.label.toLowerCase()}`}
      fill
      {...(skeletonRows !== undefined && { rows: skeletonRows })}
      empty={empty}
    >
      {(rows) => <DataTable {...table} rows={rows} />}
    </QueryState>
  )
}
