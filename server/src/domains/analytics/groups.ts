import { CairnError } from '@cairn/contract'
import { indexable } from '../../lib/indexable.ts'
import { type Dimension, dayMs, floorTo, type RollupStore } from '../rollups/index.ts'
import type { AnalyticsStore, GroupColumn } from './store.ts'
import { type ReadPlan, rollupsFor, type Sink, type SummaryReader, Total } from './summary.ts'

/** Maximum number of values of an attribute that traces can be grouped by. */
const maxLabelValues = 200
/** Maximum number of users of a period that traces can be grouped by. */
const maxUsers = 100_000

/** The grouping of a request: none, by a column of `traces`, or by a label (a tag or a custom attribute). */
export type GroupBy =
  | { kind: 'none' }
  | { kind: 'column'; dimension: Exclude<GroupColumn, 'user_id'> }
  | { kind: 'user' }
  | { kind: 'label'; name: string }

export function parseGroupBy(text: string | undefined): GroupBy {
  switch (text) {
    case undefined:
      return { kind: 'none' }
    case 'model':
    case 'version':
    case 'status':
    case 'environment':
      return { kind: 'column', dimension: text }
    case 'user_id':
      return { kind: 'user' }
    case 'tag':
      return { kind: 'label', name: 'tag' }
  }
  if (text.startsWith('attr.') && text !== 'attr.') return { kind: 'label', name: indexable(text) }
  throw new CairnError(
    'invalid_request',
    'group_by must be model, version, status, environment, user_id, tag or attr.<key>',
  )
}

function tracesIn(points: Map<number, Total>): number {
  return [...points.values()].reduce((sum, { sums }) => sum + sums.traces, 0)
}

/** Totals by group and interval. `intervalOf` returns the start of the interval that contains a time (epoch ms). */
export class GroupTable {
  readonly #intervalOf: (ms: number) => number
  readonly #groups = new Map<string, Map<number, Total>>()

  constructor(intervalOf: (ms: number) => number) {
    this.#intervalOf = intervalOf
  }

  /** Returns a sink that adds rows to the table; `group` replaces the group value of the rows. */
  sink(group?: string): Sink {
    return {
      rollup: (row) => this.#at(group ?? row.value, row.bucket).addRollup(row),
      facts: (row) => this.#at(group ?? row.value ?? undefined, row.bucket).addFacts(row),
    }
  }

  /**
   * Returns a sink that adds only rows of these groups. Rollups are read only for these groups, but the traces at the ends
   * of the period are read for all groups.
   */
  sinkOf(groups: readonly string[]): Sink {
    const wanted = new Set<string | null>(groups)
    const { rollup, facts } = this.sink()
    return {
      rollup,
      facts: (row) => {
        if (wanted.has(row.value)) facts(row)
      },
    }
  }

  /** The number of traces of the group at this rank; 0 if there are fewer groups. */
  tracesAtRank(groups: number): number {
    const last = this.top(groups)[groups - 1]
    return last ? tracesIn(last[1]) : 0
  }

  /** The groups with the most traces, in descending order. */
  top(limit: number): [string, Map<number, Total>][] {
    return [...this.#groups]
      .map(([group, points]) => ({ group, points, traces: tracesIn(points) }))
      .sort((a, b) => b.traces - a.traces || (a.group < b.group ? -1 : 1))
      .slice(0, limit)
      .map(({ group, points }) => [group, points])
  }

  #at(group: string | undefined, ms: number): Total {
    // Traces without a value are in no group, so their total is discarded.
    if (group === undefined) return new Total()
    const points = this.#groups.get(group) ?? new Map<number, Total>()
    this.#groups.set(group, points)
    const bucket = this.#intervalOf(ms)
    const total = points.get(bucket) ?? new Total()
    points.set(bucket, total)
    return total
  }
}

export interface GroupDependencies {
  reader: SummaryReader
  store: AnalyticsStore
  rollups: RollupStore
}

/** Reads the sums of a period by group into a table. `groups` is the maximum number of returned groups. */
export class GroupReader {
  readonly #dependencies: GroupDependencies
  readonly #plan: ReadPlan
  readonly #groups: number
  readonly table: GroupTable

  constructor(dependencies: GroupDependencies, plan: ReadPlan, table: GroupTable, groups: number) {
    this.#dependencies = dependencies
    this.#plan = plan
    this.#groups = groups
    this.table = table
  }

  async read(groupBy: GroupBy): Promise<void> {
    const { reader } = this.#dependencies
    const { conditions, sketches, widestMs } = this.#plan
    const filter = rollupsFor(conditions)
    const grouping = { widthMs: widestMs, bins: sketches }
    if (groupBy.kind === 'none') {
      const sink = this.table.sink('')
      return filter
        ? reader.readRollups(this.#plan, filter, grouping, sink)
        : reader.scan(this.#plan, grouping, sink)
    }
    const unfiltered = filter?.dimension === 'all'
    if (groupBy.kind === 'user') return this.#readUsers()
    if (groupBy.kind === 'label') return this.#readLabel(groupBy.name, unfiltered)
    const byColumn = { ...grouping, column: groupBy.dimension }
    if (!unfiltered) return reader.scan(this.#plan, byColumn, this.table.sink())
    await this.#readTop(groupBy.dimension, async (values) => {
      const conditions = { dimension: groupBy.dimension, values }
      await reader.readRollups(this.#plan, conditions, byColumn, this.table.sinkOf(values))
    })
  }

  /** Users have no rollups. A first scan counts their traces, and a second one reads only the users with the most traces. */
  async #readUsers(): Promise<void> {
    const { reader } = this.#dependencies
    const { sketches, widestMs } = this.#plan
    const traces = new Map<string, number>()
    const count = (row: { value: string | null; traces: number }) => {
      if (row.value === null) return
      traces.set(row.value, (traces.get(row.value) ?? 0) + row.traces)
      if (traces.size > maxUsers) {
        throw new CairnError(
          'invalid_request',
          `the period has traces of more than ${maxUsers} users; choose a shorter period or a filter`,
        )
      }
    }
    const byUser = { column: 'user_id', bins: false } as const
    await reader.scan(this.#plan, byUser, { rollup: () => {}, facts: count })
    const users = [...traces]
      .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, this.#groups)
      .map(([user]) => user)
    const grouping = { ...byUser, widthMs: widestMs, bins: sketches }
    await reader.scan(this.#plan, grouping, this.table.sinkOf(users))
  }

  async #readLabel(name: string, unfiltered: boolean): Promise<void> {
    const { reader, store } = this.#dependencies
    const { projectId, sketches, widestMs } = this.#plan
    const readValues = async (values: readonly string[]) => {
      const grouping = { widthMs: widestMs, bins: sketches, label: { name, values } }
      const sink = this.table.sink()
      if (unfiltered && name === 'tag') {
        await reader.readRollups(this.#plan, { dimension: 'tag', values }, grouping, sink)
      } else if (values.length > 0) await reader.scan(this.#plan, grouping, sink)
    }
    if (name === 'tag') return this.#readTop('tag', readValues)
    const values = await store.labelValues(projectId, name, maxLabelValues + 1)
    if (values.length > maxLabelValues) {
      throw new CairnError('invalid_request', `group_by ${name} has more than ${maxLabelValues} values`)
    }
    await readValues(values)
  }

  /**
   * Reads values until the table contains the values with the most traces in the period. Whole days without a filter
   * contain at least as many traces as the filtered period. So a value is not needed if its days contain no more traces than
   * the last requested group.
   */
  async #readTop(dimension: Dimension, read: (values: readonly string[]) => Promise<void>): Promise<void> {
    const { projectId, span } = this.#plan
    const segment = { widthMs: dayMs, from: floorTo(span.from, dayMs), to: span.to }
    let done = 0
    for (let limit = this.#groups; ; limit *= 2) {
      const found = await this.#dependencies.rollups.topValues(projectId, dimension, segment, limit + 1)
      const values = found.slice(done, limit).map(({ value }) => value)
      if (values.length > 0) await read(values)
      done = limit
      const next = found[limit]
      if (!next || next.traces <= this.table.tracesAtRank(this.#groups)) return
    }
  }
}
