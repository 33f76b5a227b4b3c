import { seededRandom } from './random.ts'

/** Traces with difficult values, and a simple implementation of the filters to compare with. */

export interface SentScore {
  name: string
  value: number
}

export interface SentTrace {
  input: string
  output: string
  model?: string
  version?: string
  environment?: string
  session_id?: string
  user_id?: string
  status: 'success' | 'error'
  latency_ms?: number
  cost?: number
  cost_breakdown?: { llm?: number; embedding?: number; reranking?: number }
  spans?: Record<string, unknown>[]
  tags: string[]
  token_usage?: Record<string, number>
  metadata: Record<string, unknown>
  custom_attributes: Record<string, unknown>
  created_at: string
}

/** A stored trace. */
export interface KnownTrace {
  id: string
  sent: SentTrace
  scores: SentScore[]
}

const long = 'x'.repeat(250)

/** Values of labels that look similar, but are all different. */
export const awkward = [
  '',
  ' ',
  'plain',
  'Plain',
  'a,b',
  "it's",
  '"quoted"',
  '%',
  '100%',
  '_',
  'p_ain',
  'ünïcode',
  'u\u0308nïcode',
  '漢字',
  '🦉',
  'line\nbreak',
  'back\\slash',
  '&a=b?#+',
  '1',
  'true',
  'null',
  '__proto__',
  'x'.repeat(199),
  'x'.repeat(200),
  'x'.repeat(201),
  `${long}1`,
  `${long}2`,
  `${'🦉'.repeat(90)}${'é'.repeat(40)}`,
  'y'.repeat(3500),
  'nul\0',
  'half\ud800',
]

/** Texts of inputs and outputs that are difficult for a search. */
const searched = [
  'Straße ÜBER Brücken',
  'über',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'İstanbul',
  'ıslak',
  'a "quoted" word',
  'a \\ backslash',
  'a line\nbreak and a\ttab',
  '{"input":"x","output":"y"}',
  '","output":"',
  '","model":',
  'a literal \\u0000 and \\n',
  'a nul\0inside',
  'half a pair \ud800 here',
  '100% sure_thing',
  'owl 🦉',
  '\u212a is Kelvin',
  '',
  'I told you',
]

export const firstMs = Date.UTC(2024, 2, 4)
const dayMs = 86_400_000

/** Minutes, hours, days, weeks and months begin and end around these. */
const moments = [
  -1,
  0,
  1,
  59_999,
  60_000,
  3_599_999,
  3_600_000,
  dayMs - 1,
  dayMs,
  dayMs + 1,
  7 * dayMs,
  28 * dayMs - 1,
  28 * dayMs,
]

export function awkwardTraces(count: number): SentTrace[] {
  const random = seededRandom(4)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const maybe = <T>(share: number, value: T): T | undefined => (random() < share ? value : undefined)
  return Array.from({ length: count }, (_, i) => {
    // A few values are common, so that combinations of filters still find something.
    const label = () => (random() < 0.5 ? pick(['alpha', 'beta', 'plain']) : pick(awkward))
    const trace: SentTrace = {
      input: random() < 0.5 ? pick(searched) : `neutral ${i}`,
      output: random() < 0.3 ? pick(searched) : `done ${i}`,
      status: random() < 0.3 ? 'error' : 'success',
      tags: Array.from({ length: Math.floor(random() * 4) }, label),
      metadata: { note: 'only-in-metadata', '","output":"only-in-metadata': i },
      custom_attributes: {
        tier: label(),
        n: pick([0, -0, 1, 1.5, -2, 1e21, 0.1]),
        flag: random() < 0.5,
        nested: { deep: { tier: label(), '': 'empty' } },
        list: ['alpha'],
        nothing: null,
        [pick(awkward.slice(1))]: 'by key',
      },
      created_at: new Date(momentOf(i, random)).toISOString(),
    }
    const values = {
      model: maybe(0.9, label()),
      version: maybe(0.6, label()),
      environment: maybe(0.6, label()),
      session_id: maybe(0.6, label()),
      user_id: maybe(0.6, label()),
      latency_ms: maybe(0.8, pick([0, 0.25, 100, 100, Math.round(random() * 1e6) / 1000])),
      cost: maybe(0.6, pick([0, 0.000001, 0.5, Math.round(random() * 1e6) / 1e6])),
      cost_breakdown: maybe(0.3, { llm: 0.25, embedding: 0.125, reranking: 0.0625 }),
      spans: maybe(0.3, [{ name: 'top', kind: pick(['embedding', 'llm', 'retrieval']), span_id: 'a' }]),
      token_usage: maybe(0.6, { prompt_tokens: i, completion_tokens: 2, cache_read_tokens: 1 }),
    }
    return Object.assign(trace, JSON.parse(JSON.stringify(values)))
  })
}

function momentOf(i: number, random: () => number): number {
  if (i % 60 === 1) return Date.UTC(1969, 11, 31, 23, 59, 59, 999) - i * 1000
  if (i % 60 === 2) return Date.UTC(2031, 0, 1) + i
  if (i % 2) return firstMs + (moments[i % moments.length] as number)
  return firstMs + Math.floor(random() * 30 * dayMs)
}

export type Parameters = readonly (readonly [name: string, value: string])[]

export function toQuery(parameters: Parameters): string {
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** The stored form of a text in an index: NUL and single surrogates become U+FFFD. */
export function kept(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

function leavesOf(object: object, prefix = ''): [path: string, value: string][] {
  return Object.entries(object).flatMap(([key, value]): [string, string][] => {
    if (value === null || Array.isArray(value)) return []
    if (typeof value === 'object') return leavesOf(value, `${prefix}${key}.`)
    return [[kept(prefix + key), kept(String(value))]]
  })
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** The cost of a trace in USD, if it has one. */
export function costOf({ cost, cost_breakdown: parts }: SentTrace): number | undefined {
  if (cost !== undefined || parts === undefined) return cost
  return (parts.llm ?? 0) + (parts.embedding ?? 0) + (parts.reranking ?? 0)
}

const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
}

function matchesScore(
  scores: readonly SentScore[],
  name: string,
  comparison: string,
  value: string,
): boolean {
  const holds = comparisons[comparison] as (a: number, b: number) => boolean
  return scores.some((score) => score.name === name && holds(score.value, Number(value)))
}

const columns = new Set(['model', 'version', 'environment', 'session_id', 'user_id', 'status'])

/** Whether a trace matches one filter. A score filter has the name `score.<name><comparison>`. */
function matches({ sent, scores }: KnownTrace, [name, value]: readonly [string, string]): boolean {
  const at = Date.parse(sent.created_at)
  if (columns.has(name)) {
    const own = sent[name as 'model']
    return own !== undefined && kept(own) === value
  }
  if (name.startsWith('attr.')) {
    const path = name.slice('attr.'.length)
    return leavesOf(sent.custom_attributes).some(([key, leaf]) => key === path && leaf === value)
  }
  const score = /^score\.(.+?)(>=|<=|>|<|=)$/.exec(name)
  if (score) return matchesScore(scores, score[1] ?? '', score[2] ?? '', value)
  switch (name) {
    case 'tag':
      return sent.tags.map(kept).includes(value)
    case 'start_date':
      return at >= Date.parse(value)
    case 'end_date':
      return at < Date.parse(value)
    case 'min_latency_ms':
      return sent.latency_ms !== undefined && sent.latency_ms >= Number(value)
    case 'max_latency_ms':
      return sent.latency_ms !== undefined && sent.latency_ms <= Number(value)
    case 'min_cost':
      return (costOf(sent) ?? Number.NaN) >= Number(value)
    case 'max_cost':
      return (costOf(sent) ?? Number.NaN) <= Number(value)
    case 'q':
      return [sent.input, sent.output].some((text) => fold(text).includes(fold(value)))
  }
  throw new Error(`the model knows no filter ${name}`)
}

/** The traces that match all filters, newest first; ids are in the order of creation. */
export function select(traces: readonly KnownTrace[], filters: Parameters): KnownTrace[] {
  const age = (trace: KnownTrace) => Date.parse(trace.sent.created_at)
  return traces
    .filter((trace) => filters.every((filter) => matches(trace, filter)))
    .sort((a, b) => age(b) - age(a) || (a.id < b.id ? 1 : -1))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const present = (values: readonly (number | undefined)[]) => values.filter((value) => value !== undefined)
const average = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length)

export function latenciesOf(traces: readonly KnownTrace[]): number[] {
  return present(traces.map(({ sent }) => sent.latency_ms))
}

/** SQL's percentile_cont. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const [lower = 0, upper = lower] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  return lower + (upper - lower) * (rank % 1)
}

function unpriced(traces: readonly KnownTrace[]): number {
  return traces.filter(({ sent }) => costOf(sent) === undefined).length
}

export function metricsOf(traces: readonly KnownTrace[]) {
  const failed = traces.filter(({ sent }) => sent.status === 'error').length
  const total_cost = sum(present(traces.map(({ sent }) => costOf(sent))))
  return {
    total_queries: traces.length,
    successful: traces.length - failed,
    failed,
    avg_response_time_ms: average(latenciesOf(traces)),
    total_cost,
    avg_cost_per_query: traces.length === 0 ? 0 : total_cost / traces.length,
    unpriced_traces: unpriced(traces),
  }
}

/** The parts of a trace's cost: its breakdown scaled to the total, otherwise the kind of its root span. */
function partsOf(sent: SentTrace): [llm: number, embedding: number, reranking: number] {
  const total = costOf(sent) ?? 0
  const parts = sent.cost_breakdown
  if (!parts) return sent.spans?.[0]?.kind === 'embedding' ? [0, total, 0] : [total, 0, 0]
  const { llm = 0, embedding = 0, reranking = 0 } = parts
  const given = llm + embedding + reranking
  if (given <= total) return [total - embedding - reranking, embedding, reranking]
  const factor = total / given
  return [llm * factor, embedding * factor, reranking * factor]
}

export function costsOf(traces: readonly KnownTrace[]) {
  const parts = traces.map(({ sent }) => partsOf(sent))
  return {
    total_cost: metricsOf(traces).total_cost,
    llm_cost: sum(parts.map(([llm]) => llm)),
    embedding_cost: sum(parts.map(([, embedding]) => embedding)),
    reranking_cost: sum(parts.map(([, , reranking]) => reranking)),
    unpriced_traces: unpriced(traces),
  }
}

export function performanceOf(traces: readonly KnownTrace[]) {
  const latencies = latenciesOf(traces)
  return {
    p50_latency_ms: percentile(latencies, 0.5),
    p95_latency_ms: percentile(latencies, 0.95),
    p99_latency_ms: percentile(latencies, 0.99),
    avg_latency_ms: average(latencies),
    total_traces: traces.length,
  }
}
