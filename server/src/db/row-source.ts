import type { Db } from './database.ts'
import type { SqlValue } from './sqlite/protocol.ts'

/** SQL that gives rows, and its parameters. */
export interface RowSource {
  sql: string
  parameters: unknown[]
}

type Rows = readonly (readonly SqlValue[])[]

/** Both databases accept this many parameters in a statement. */
const maxParameters = 30_000
/** Limits the size of a statement whose rows are arrays. */
const maxRows = 10_000

/**
 * The rows as sources of one or more statements, for `insert into t (columns) …` and `(columns) in (…)`. On PostgreSQL each
 * column is one array, because parsing a statement with thousands of parameters takes longer than writing its rows. Rows
 * with bytes are single parameters, which the driver sends without converting them to text.
 *
 * @param types types of columns that PostgreSQL cannot convert from text or numbers by itself, by index
 */
export function* rowSources(
  dialect: Db['dialect'],
  rows: Rows,
  types: Readonly<Record<number, string>> = {},
): Generator<RowSource> {
  const width = rows[0]?.length ?? 0
  const asArrays = dialect === 'postgres' && !rows.some((row) => row.some(isBytes))
  const perSource = asArrays ? maxRows : Math.floor(maxParameters / width)
  for (let from = 0; from < rows.length; from += perSource) {
    const part = rows.slice(from, from + perSource)
    yield asArrays ? arraysOf(part, width, types) : valuesOf(dialect, part)
  }
}

function isBytes(value: SqlValue): boolean {
  return value instanceof Uint8Array
}

function valuesOf(dialect: Db['dialect'], rows: Rows): RowSource {
  let count = 0
  const placeholder = () => (dialect === 'sqlite' ? '?' : `$${++count}`)
  const tuples = rows.map((row) => `(${row.map(placeholder).join(', ')})`)
  return { sql: `values ${tuples.join(', ')}`, parameters: rows.flat() }
}

/** `select a0, null, a2 from unnest($1::text[], $2::bigint[]) as rows (a0, a2)`. A column without values has no type. */
function arraysOf(rows: Rows, width: number, types: Readonly<Record<number, string>>): RowSource {
  const columns = Array.from({ length: width }, (_, index) => {
    const values = rows.map((row) => row[index] ?? null)
    return { name: `a${index}`, values, type: arrayType(values), cast: types[index] }
  })
  const typed = columns.filter(({ type }) => type !== undefined)
  // `unnest` needs an array even if no column has a value.
  if (typed.length === 0) return valuesOf('postgres', rows)
  const selected = columns.map(({ name, type, cast }) => {
    if (type === undefined) return 'null'
    return cast === undefined ? name : `cast(${name} as ${cast})`
  })
  const arrays = typed.map(({ type }, index) => `$${index + 1}::${type}`)
  const names = typed.map(({ name }) => name)
  return {
    sql: `select ${selected.join(', ')} from unnest(${arrays.join(', ')}) as rows (${names.join(', ')})`,
    parameters: typed.map(({ values }) => values),
  }
}

/** The type of an array of these values; undefined if all are null. */
function arrayType(values: readonly SqlValue[]): string | undefined {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return undefined
  if (typeof known[0] === 'string') return 'text[]'
  return known.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value))
    ? 'bigint[]'
    : 'double precision[]'
}
