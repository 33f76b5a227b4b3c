import { sql } from 'kysely'
import {
  type Db,
  deleteByKeys,
  mergedSketches,
  parseSketch,
  type RowInsert,
  sketchParameter,
  type Trx,
} from '../../db/index.ts'
import { type Deletion, deletionOf } from '../../jobs/index.ts'
import type { Sketch } from '../../lib/sketch.ts'
import { createPacer } from '../../lib/turns.ts'
import type { Segment } from './cover.ts'
import type { Increments } from './increments.ts'
import { type Dimension, dayMs, type Sums, sumNames } from './sums.ts'

const keyColumns = ['project_id', 'width_ms', 'dimension', 'value', 'bucket'] as const

/** For each sum, the column with the number of its amounts. */
const countOf: Partial<Record<(typeof sumNames)[number], 'latencies' | 'costs'>> = {
  latency_sum: 'latencies',
  cost_sum: 'costs',
  llm_cost: 'costs',
  embedding_cost: 'costs',
  reranking_cost: 'costs',
}

/** Adds a sum. Without amounts it becomes 0, because subtracting floating-point numbers leaves a rounding error. */
function addSum(name: (typeof sumNames)[number]): string {
  const sum = `rollups.${name} + excluded.${name}`
  const count = countOf[name]
  return count
    ? `${name} = case when rollups.${count} + excluded.${count} = 0 then 0 else ${sum} end`
    : `${name} = ${sum}`
}

/** The conflict clause that adds each sum to the stored sum, and merges each sketch into the stored sketch. */
function addOnConflict(dialect: Db['dialect']): string {
  const sketch = mergedSketches(dialect, 'rollups.latency_sketch', 'excluded.latency_sketch')
  const changes = [...sumNames.map(addSum), `latency_sketch = ${sketch}`]
  return `on conflict (${keyColumns.join(', ')}) do update set ${changes.join(', ')}`
}

/** The upsert of the rollups, for the transaction that changes the traces. */
export function rollupUpsert(dialect: Db['dialect'], increments: Increments): RowInsert {
  return {
    table: 'rollups',
    columns: [...keyColumns, ...sumNames, 'latency_sketch'],
    rows: increments
      .sorted()
      .map(({ key, sums, sketch }) => [
        key.projectId,
        key.widthMs,
        key.dimension,
        key.value,
        key.bucket,
        ...sumNames.map((name) => sums[name]),
        sketchParameter(dialect, sketch),
      ]),
    conflict: addOnConflict(dialect),
    types: { latency_sketch: 'integer[]' },
  }
}

/** Deletes the rows of an upsert that count no traces any more, so that unused values are not listed. */
export function removeEmptyRollups(trx: Trx, { rows }: RowInsert): Promise<void> {
  const keys = rows.map((row) => row.slice(0, keyColumns.length))
  return deleteByKeys(trx, 'rollups', { columns: keyColumns, keys, condition: 'traces = 0' })
}

/** The rollups of some values of a dimension, or of all its values. */
export interface RollupFilter {
  dimension: Dimension
  values?: readonly string[]
}

/** A rollup row with the requested sums. */
export interface RollupRow extends Partial<Sums> {
  value: string
  bucket: number
  /** Only if requested. */
  sketch?: Sketch
}

/** The requested columns. Reading all columns takes several times as long. */
export interface RollupColumns {
  sums: readonly (keyof Sums)[]
  sketches: boolean
}

export type RollupStore = ReturnType<typeof createRollupStore>

export function createRollupStore(db: Db) {
  function rows(projectId: string, { dimension, values }: RollupFilter, { widthMs, from, to }: Segment) {
    const query = db.read
      .selectFrom('rollups')
      .where('project_id', '=', projectId)
      .where('width_ms', '=', widthMs)
      .where('dimension', '=', dimension)
      .where('bucket', '>=', from)
      .where('bucket', '<', to)
    return values ? query.where('value', 'in', values) : query
  }

  return {
    /** The rows of a segment, unordered. */
    async read(
      projectId: string,
      filter: RollupFilter,
      segment: Segment,
      { sums, sketches }: RollupColumns,
    ): Promise<RollupRow[]> {
      const query = rows(projectId, filter, segment).select(['value', 'bucket', ...sums])
      if (!sketches) return query.execute()
      const found = await query.select('latency_sketch').execute()
      const read: RollupRow[] = []
      const pace = createPacer()
      for (const { latency_sketch, ...row } of found) {
        read.push({ ...row, sketch: parseSketch(latency_sketch) })
        await pace()
      }
      return read
    },

    /** The values of a dimension with the most traces in a segment, in descending order of traces. */
    topValues(
      projectId: string,
      dimension: Dimension,
      segment: Segment,
      limit: number,
    ): Promise<{ value: string; traces: number }[]> {
      return rows(projectId, { dimension }, segment)
        .select(['value', (eb) => eb.fn.sum<number>('rollups.traces').as('traces')])
        .groupBy('value')
        .orderBy(sql`2`, 'desc')
        .orderBy('value')
        .limit(limit)
        .execute()
    },

    /** The sums of one value over all time. */
    async total(projectId: string, dimension: Dimension, value: string): Promise<Sums> {
      const always = { widthMs: dayMs, from: -8.64e15, to: 8.64e15 }
      const row = await rows(projectId, { dimension, values: [value] }, always)
        .select((eb) => sumNames.map((name) => eb.fn.sum<number | null>(name).as(name)))
        .executeTakeFirstOrThrow()
      return Object.fromEntries(sumNames.map((name) => [name, row[name] ?? 0])) as unknown as Sums
    },
  }
}

/** The steps of a project's deletion that delete its rollups. */
export function rollupDeletion(db: Db): Deletion['steps'] {
  return [deletionOf(db, { table: 'rollups', key: keyColumns, column: 'project_id' })]
}
