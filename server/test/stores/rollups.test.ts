import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RollupRow } from '../../src/domains/rollups/index.ts'
import { createRollupStore, dayMs, hourMs, minuteMs, sumNames } from '../../src/domains/rollups/index.ts'
import { type NewTrace, toNewTrace } from '../../src/domains/traces/facts.ts'
import { rebuildProject } from '../../src/domains/traces/store/rebuild.ts'
import { createTraceStore } from '../../src/domains/traces/store.ts'
import { SketchSum } from '../../src/lib/sketch.ts'
import { describeEachDatabase } from '../databases.ts'
import { addProject, newRecord } from '../rows.ts'

const everything = { from: -1e15, to: 1e15 }
const dimensions = ['all', 'status', 'model', 'version', 'environment', 'tag'] as const

type Pricing = Parameters<typeof toNewTrace>[2]

/** One USD per token, so that the tokens determine the cost. */
const priceOf =
  (price: number): Pricing =>
  (_model, usage) =>
    typeof usage?.total_tokens === 'number' ? usage.total_tokens * price : null

const amount = fc.option(
  fc.integer({ min: 0, max: 4000 }).map((n) => n / 4),
  { nil: null },
)
const word = (...words: string[]) => fc.option(fc.constantFrom(...words), { nil: null })
const trace = fc.record({
  // Minutes around midnight, before and after 1970.
  created_at: fc
    .tuple(fc.constantFrom(-dayMs, 0, dayMs), fc.integer({ min: -3 * minuteMs, max: 3 * minuteMs }))
    .map(([day, ms]) => new Date(day + ms).toISOString()),
  status: fc.constantFrom('success' as const, 'error' as const),
  model: word('a', 'b', 'ü', ''),
  version: word('1', '2'),
  environment: word('live'),
  tags: fc.array(fc.constantFrom('x', 'y', 'x\0'), { maxLength: 3 }),
  latency_ms: amount,
  cost: amount,
  token_usage: fc.record({ total_tokens: amount, prompt_tokens: amount }),
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('insert' as const), traces: fc.array(trace, { maxLength: 8 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reprice' as const), price: fc.integer({ min: 0, max: 9 }) }),
  },
)

describeEachDatabase('rollups', (database) => {
  const traces = () => createTraceStore(database.db)
  const rollups = () => createRollupStore(database.db)

  /** All rows of a width, by dimension, value and bucket. */
  async function stored(projectId: string, widthMs: number): Promise<Map<string, RollupRow>> {
    const rows = await Promise.all(
      dimensions.map(async (dimension) => {
        const segment = { widthMs, ...everything }
        const found = await rollups().read(projectId, { dimension }, segment, {
          sums: sumNames,
          sketches: true,
        })
        return found.map((row): [string, RollupRow] => [`${dimension} ${row.value} ${row.bucket}`, row])
      }),
    )
    return new Map(rows.flat())
  }

  function keysOf({ facts }: NewTrace, widthMs: number): string[] {
    const bucket = Math.floor(facts.createdMs / widthMs) * widthMs
    const pairs = [
      ['all', ''],
      ['status', facts.status],
      ...(['model', 'version', 'environment'] as const).flatMap((name) =>
        facts[name] === null ? [] : [[name, facts[name]]],
      ),
      ...facts.tags.map((tag) => ['tag', tag]),
    ]
    return pairs.map(([dimension, value]) => `${dimension} ${value} ${bucket}`)
  }

  function expectSums(row: RollupRow | undefined, members: readonly NewTrace[], label: string): void {
    const sum = (of: (trace: NewTrace) => number | null | undefined) =>
      members.reduce((total, member) => total + (of(member) ?? 0), 0)
    const latencies = members.flatMap(({ facts }) => facts.latencyMs ?? []).sort((a, b) => a - b)
    const expected: Record<(typeof sumNames)[number], number> = {
      traces: members.length,
      errors: sum(({ facts }) => Number(facts.status === 'error')),
      latencies: latencies.length,
      latency_sum: sum(({ facts }) => facts.latencyMs),
      costs: sum(({ facts }) => Number(facts.cost !== null)),
      cost_sum: sum(({ facts }) => facts.cost?.total),
      llm_cost: sum(({ facts }) => facts.cost?.llm),
      embedding_cost: sum(({ facts }) => facts.cost?.embedding),
      reranking_cost: sum(({ facts }) => facts.cost?.reranking),
      prompt_tokens: sum(({ facts }) => facts.promptTokens),
      completion_tokens: sum(({ facts }) => facts.completionTokens),
      total_tokens: sum(({ facts }) => facts.totalTokens),
    }
    for (const name of sumNames) expect(row?.[name], `${label} ${name}`).toBeCloseTo(expected[name], 6)
    const sketch = new SketchSum()
    if (row?.sketch) sketch.add(row.sketch)
    const last = latencies.at(-1) ?? 0
    const [highest = -1] = sketch.percentiles([1])
    expect(Math.abs(highest - last), `${label} highest latency`).toBeLessThanOrEqual(last * 0.01 + 1e-9)
  }

  it('equal sums over all traces, at every width, after inserts, deletions and re-pricing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const projectId = await addProject(database.db)
        let kept: NewTrace[] = []
        let price = 1
        for (const one of steps) {
          if (one.do === 'insert') {
            const added = one.traces.map((values) => toNewTrace(projectId, newRecord(values), priceOf(price)))
            await traces().insert(added)
            kept.push(...added)
          } else if (one.do === 'delete') {
            const gone = kept.slice(0, Math.ceil(kept.length * one.share)).map(({ traceId }) => traceId)
            expect(await traces().delete(projectId, [...gone, 'trc_none'])).toBe(gone.length)
            kept = kept.slice(gone.length)
          } else {
            price = one.price
            await traces().reprice(
              projectId,
              kept.map(({ traceId }) => traceId),
              priceOf(price),
            )
            kept = kept.map((each) => {
              const tokens = each.facts.totalTokens
              if (each.costSource === 'client' || !each.body.includes('"total_tokens":')) return each
              const record = JSON.parse(each.body.toString())
              return { ...toNewTrace(projectId, record, priceOf(price)), traceId: each.traceId, tokens }
            })
          }
        }
        for (const widthMs of [minuteMs, hourMs, dayMs]) {
          const rows = await stored(projectId, widthMs)
          const expected = Map.groupBy(
            kept.flatMap((each) => keysOf(each, widthMs).map((key) => ({ key, each }))),
            ({ key }) => key,
          )
          expect([...rows.keys()].sort()).toEqual([...expected.keys()].sort())
          for (const [key, members] of expected) {
            expectSums(
              rows.get(key),
              members.map(({ each }) => each),
              `${widthMs} ${key}`,
            )
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are correct after concurrent writes', async () => {
    const projectId = await addProject(database.db)
    const again = createTraceStore(await database.openAgain())
    const writers = [traces(), again, traces(), again]
    await Promise.all(
      writers.map(async (store, writer) => {
        for (let round = 0; round < 10; round++) {
          const added = Array.from({ length: 5 }, (_, i) =>
            toNewTrace(
              projectId,
              newRecord({ latency_ms: writer * 100 + i, tags: [`${i}`], created_at: '2024-05-05' }),
              () => null,
            ),
          )
          await store.insert(added)
          if (round % 2 === 1) await store.delete(projectId, [added[0]?.traceId ?? ''])
        }
      }),
    )
    const [row] = (await stored(projectId, dayMs)).values()
    expect(row).toMatchObject({ traces: 4 * 45, latencies: 4 * 45 })
    const counts = row?.sketch ? Array.from(row.sketch).filter((_, i) => i % 2 === 1) : []
    expect(counts.reduce((a, b) => a + b, 0)).toBe(4 * 45)
  })

  it('list the values with the most traces first', async () => {
    const projectId = await addProject(database.db)
    const models = ['b', 'a', 'c', 'a', 'c', 'c']
    await traces().insert(
      models.map((model) =>
        toNewTrace(projectId, newRecord({ model, created_at: '2024-05-05' }), () => null),
      ),
    )
    const segment = { widthMs: dayMs, ...everything }
    expect(await rollups().topValues(projectId, 'model', segment, 2)).toEqual([
      { value: 'c', traces: 3 },
      { value: 'a', traces: 2 },
    ])
  })

  it('return the total of a value over all time, only of its project', async () => {
    const projectId = await addProject(database.db)
    const values = [
      { version: '1.0.0', latency_ms: 10, cost: 1, created_at: '1969-01-01' },
      { version: '1.0.0', latency_ms: 20, status: 'error' as const },
      { version: '1.0.1', latency_ms: 99 },
      { latency_ms: 99 },
    ]
    await traces().insert(values.map((value) => toNewTrace(projectId, newRecord(value), () => null)))
    expect(await rollups().total(projectId, 'version', '1.0.0')).toMatchObject({
      ...{ traces: 2, errors: 1, latencies: 2, latency_sum: 30, costs: 1, cost_sum: 1 },
    })
    expect(await rollups().total(await addProject(database.db), 'version', '1.0.0')).toMatchObject({
      traces: 0,
    })
  })
})

describeEachDatabase('traces of an older version', (database) => {
  it('get their labels, parts of costs and rollups once', async () => {
    const { db } = database
    const projectId = await addProject(db)
    const values = Array.from({ length: 1203 }, (_, i) => ({
      model: 'm'.repeat(300),
      tags: [`t${i % 3}`],
      custom_attributes: { plan: 'pro' },
      token_usage: { prompt_tokens: 2, completion_tokens: 1 },
      cost_breakdown: { llm: 1, embedding: 2 },
      latency_ms: i,
    }))
    const added = values.map((value) => toNewTrace(projectId, newRecord(value), () => null))
    const store = createTraceStore(db)
    await store.insert(added)
    const sumsOf = () => createRollupStore(db).total(projectId, 'all', '')
    const tagged = () =>
      store.positions(
        projectId,
        { labels: [{ name: 'tag', value: 't1' }] },
        { limit: 2000, after: undefined },
      )
    const before = { sums: await sumsOf(), tagged: await tagged() }
    await db.transaction(async (trx) => {
      for (const table of ['rollups', 'trace_labels'] as const) {
        await trx.deleteFrom(table).where('project_id', '=', projectId).execute()
      }
      const parts = { llm_cost: 3, embedding_cost: 0, reranking_cost: 0, model: 'm', total_tokens: null }
      await trx.updateTable('traces').set(parts).where('project_id', '=', projectId).execute()
    })
    expect(await rebuildProject(db, projectId)).toBe(true)
    expect({ sums: await sumsOf(), tagged: await tagged() }).toEqual(before)
    const model = added[0]?.facts.model ?? ''
    const found = await store.positions(projectId, { model }, { limit: 2000, after: undefined })
    expect(found).toHaveLength(values.length)
    expect(await rebuildProject(db, projectId)).toBe(false)
    expect(await rebuildProject(db, await addProject(db))).toBe(false)
  })
})
