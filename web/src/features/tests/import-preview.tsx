import type { CreateCase } from '@cairn/sdk'
import { plural } from '../../ui/format.ts'
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { ReadCase } from './read-cases.ts'

const shown = 100

interface Row extends ReadCase {
  refusal: string | undefined
}

const text = (value: unknown) => <span className="block max-w-64 truncate">{String(value ?? '')}</span>
/** The fields of a case; a line of JSON may hold any value. */
const fieldsOf = (value: unknown): Partial<CreateCase> =>
  typeof value === 'object' && value !== null ? value : {}

const columns: readonly PlainColumn<Row>[] = [
  { id: 'line', title: 'Line', align: 'right', cell: ({ line }) => line },
  {
    id: 'state',
    title: 'Content',
    wrap: true,
    cell: ({ value, problem, refusal }) =>
      problem || refusal ? (
        <span className="flex items-start gap-1.5 text-error">
          <StatusBadge kind="error">{problem ? 'Invalid' : 'Rejected'}</StatusBadge>
          <span>{problem ?? refusal}</span>
        </span>
      ) : (
        foundIn(fieldsOf(value))
      ),
  },
  {
    id: 'query',
    title: 'Input',
    cell: ({ value, source }) => text(value ? (fieldsOf(value).query ?? fieldsOf(value).trace_id) : source),
  },
  { id: 'expected', title: 'Expected', cell: ({ value }) => text(fieldsOf(value).expected_answer) },
]

function foundIn({ category, assertions }: Partial<CreateCase>): string {
  const count = Array.isArray(assertions) ? assertions.length : 0
  return [count > 0 ? plural(count, 'assertion') : 'Scorer', category].filter(Boolean).join(', ')
}

/** The cases of a text line by line, with their errors. */
export function ImportPreview({
  cases,
  refusals,
}: {
  cases: readonly ReadCase[]
  refusals: readonly (string | undefined)[]
}) {
  const rows = cases.map((one, at) => ({ ...one, refusal: refusals[at] }))
  // In a long list, lines with errors come first.
  const wrong = rows.filter(({ problem, refusal }) => problem || refusal)
  const list = rows.length > shown ? [...wrong, ...rows.filter((row) => !wrong.includes(row))] : rows
  return (
    <div className="flex flex-col gap-1">
      <PlainTable
        label="Preview"
        columns={columns}
        rows={list.slice(0, shown)}
        rowKey={({ line }) => String(line)}
      />
      {rows.length > shown && (
        <p className="text-fg-3">{`Showing ${shown} of ${plural(rows.length, 'line')}.`}</p>
      )}
    </div>
  )
}
