import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { allPages, store } from '../support/known-traces.ts'
import { expectRefusal } from '../support/refusal.ts'
import { scoresOf, scoreTraces } from '../support/scoring.ts'
import { awkwardTraces, type KnownTrace, type Parameters, select, toQuery } from '../support/trace-model.ts'

const names = ['tone', 'a b', 'Ünder_score%']
const gradeOf = (index: number) => [0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.899, 0.9, 1][index % 9] as number

interface Listed {
  trace_id: string
  score_id: string
  name: string
  value: number
  source: string
  created_at: string
}

describe.each(sharedServers)('the list of scores, on $database', ({ server }) => {
  let tenant: Tenant
  let base: string
  let known: KnownTrace[]
  /** All scores, read from the traces. */
  let all: Listed[]

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    base = `/v1/${tenant.projectId}`
    known = await store(tenant, awkwardTraces(120), (index) =>
      index % 2 ? [{ name: names[index % 3] as string, value: gradeOf(index) }] : [],
    )
    await scoreTraces(tenant, 'json-valid', { sample_rate: 0.5 })
    const id = known[0]?.id
    await tenant.project.ok('POST', `${base}/score-with-judge`, { scorer_slug: 'toxicity', trace_id: id })
    const views = await Promise.all(
      known.map(async ({ id: trace_id }) => {
        const { body } = await tenant.project.ok('GET', `${base}/traces/${trace_id}/scores`)
        return body.map((score: object) => ({ trace_id, ...score }))
      }),
    )
    all = views.flat().sort((a, b) => {
      const [left, right] = [a, b].map(({ created_at, score_id }) => `${created_at} ${score_id}`)
      return (left as string) < (right as string) ? 1 : -1
    })
    const other = await createTenant(server.url)
    await store(other, awkwardTraces(5), () => [{ name: 'tone', value: 1 }])
  })

  it('contains exactly the scores of the project, newest first, in pages of any length', async () => {
    expect(all.length).toBeGreaterThan(100)
    expect(await scoresOf(tenant)).toEqual(all)
    for (const limit of [1, 7, all.length - 1, all.length]) {
      expect(await allPages(tenant, `${base}/scores?limit=${limit}`), String(limit)).toEqual(all)
    }
  })

  const filters: [query: Parameters, keeps: (score: Listed) => boolean][] = [
    ...names.map((name): [Parameters, (score: Listed) => boolean] => [
      [['name', name]],
      (score) => score.name === name,
    ]),
    [[['source', 'human']], ({ source }) => source === 'human'],
    [[['source', 'batch']], ({ source }) => source === 'batch'],
    [[['source', 'judge']], ({ source }) => source === 'judge'],
    [[['source', 'rule']], () => false],
    [[['scorer', 'toxicity']], ({ name }) => name === 'toxicity'],
    [[['min_value', '0.3']], ({ value }) => value >= 0.3],
    [[['max_value', '0.3']], ({ value }) => value <= 0.3],
    [
      [
        ['name', 'tone'],
        ['min_value', '0.25'],
        ['max_value', '0.9'],
      ],
      ({ name, value }) => name === 'tone' && value >= 0.25 && value <= 0.9,
    ],
    [[['end_date', '2020-01-01']], () => false],
  ]

  it('contains exactly the scores that match filters of scores and of traces', async () => {
    const ofTraces: Parameters[] = [
      [],
      [['status', 'error']],
      [['tag', 'alpha']],
      [
        ['attr.flag', 'true'],
        ['q', 'e'],
      ],
    ]
    for (const [query, keeps] of filters) {
      for (const conditions of ofTraces) {
        const traces = new Set(select(known, conditions).map(({ id }) => id))
        const expected = all.filter((score) => keeps(score) && traces.has(score.trace_id))
        const found = await allPages(tenant, `${base}/scores?limit=9&${toQuery([...query, ...conditions])}`)
        expect(found, JSON.stringify([query, conditions])).toEqual(expected)
      }
    }
  })

  it('of a period includes scores at its start, but not at its end', async () => {
    const times = [...new Set(all.map(({ created_at }) => created_at))].toSorted()
    const [from, to] = [times[1] as string, times.at(-2) as string]
    const within = all.filter(({ created_at }) => created_at >= from && created_at < to)
    expect(within.length).toBeGreaterThan(0)
    const period = toQuery([
      ['start_date', from],
      ['end_date', to],
    ])
    expect(await scoresOf(tenant, period)).toEqual(within)
    expect(await scoresOf(tenant, `${period}&min_value=0`)).toEqual(within)
    const { body } = await tenant.project.ok('GET', `${base}/analytics/scores?${period}`)
    const counts = body.scores.map(({ name, count }: { name: string; count: number }) => [name, count])
    const expected = Map.groupBy(within, ({ name }) => name)
    expect(new Map(counts)).toEqual(new Map([...expected].map(([name, { length }]) => [name, length])))
  })

  it.each([
    ['source=robot', 'source'],
    ['min_value=x', 'min_value'],
    ['min_value=1&max_value=0.5', 'min_value'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=abc', 'cursor'],
    ['status=done', 'status'],
    ['name=a%00', 'name'],
    ['source_id=%00', 'source_id'],
  ])('rejects %s', async (query, names) => {
    expectRefusal(await tenant.project.get(`${base}/scores?${query}`), { status: 400, project: true, names })
  })

  it('agrees with the histograms of the averages, in total and over time', async () => {
    const { body } = await tenant.project.ok('GET', `${base}/analytics/scores`)
    const ends = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    for (const { name, histogram, points, count } of body.scores) {
      const expected = Array<number>(10).fill(0)
      for (const { value } of all.filter((score) => score.name === name)) {
        const bin = ends.findIndex((end) => value < end)
        const at = bin === -1 ? 9 : bin
        expected[at] = (expected[at] as number) + 1
      }
      expect(histogram, name).toEqual(expected)
      expect(histogram.reduce((a: number, b: number) => a + b, 0)).toBe(count)
      const sum = expected.map((_, at) =>
        points.reduce(
          (total: number, point: { histogram: number[] }) => total + (point.histogram[at] as number),
          0,
        ),
      )
      expect(sum, name).toEqual(expected)
    }
  })

  it('is in exports with all fields of a score', async () => {
    const { text } = await tenant.project.ok('GET', `${base}/analytics/export?format=jsonl`)
    const exported = text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const { trace_id, scores } = JSON.parse(line)
        return scores.map((score: object) => ({ trace_id, ...score }))
      })
    const sorted = (list: Listed[]) => list.toSorted((a, b) => (a.score_id < b.score_id ? -1 : 1))
    expect(sorted(exported)).toEqual(sorted(all))
  })
})
