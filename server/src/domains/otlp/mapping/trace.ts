import { isDeepStrictEqual } from 'node:util'
import { type CreateTrace, limits, type TokenUsage } from '@cairn/contract'
import { isObject, textOf } from '@cairn/contract/conversations'
import { haveMarkedBelow, parentIndexes } from '../../../lib/forest.ts'
import { toIso } from '../../../lib/time.ts'
import type { GivenTrace } from '../given.ts'
import type { AttributeValue, OtlpSpan } from '../span.ts'
import { givenFields, withGiven } from './given.ts'
import { isModelCall, type MappedSpan, mapSpan, toSpanInput } from './span.ts'
import { traceNames } from './table.ts'
import { contentText, lastText } from './texts.ts'
import { parsedIfJson } from './values.ts'

/** The last millisecond of the year 9999. */
const lastMs = 253_402_300_799_999

const timeOf = (ms: number) => (Number.isFinite(ms) ? ms : Number.POSITIVE_INFINITY)

function inOrder(spans: readonly OtlpSpan[]): OtlpSpan[] {
  return spans.toSorted((a, b) => timeOf(a.startMs) - timeOf(b.startMs) || (a.spanId < b.spanId ? -1 : 1))
}

/** Sums by key. A sum stays within the largest amount, because a database cannot add larger ones. */
function sumOf(usages: readonly TokenUsage[]): TokenUsage | null {
  if (usages.length === 0) return null
  const sums = new Map<string, number>()
  for (const [key, count] of usages.flatMap((usage) => Object.entries(usage))) {
    if (typeof count === 'number') sums.set(key, Math.min((sums.get(key) ?? 0) + count, limits.largestAmount))
  }
  return Object.fromEntries(sums)
}

/** The spans whose tokens count: the others repeat the tokens of calls below them. */
function countedSpans(spans: readonly MappedSpan[]): MappedSpan[] {
  const parents = parentIndexes(spans.map(({ span }) => ({ id: span.spanId, parentId: span.parentId })))
  const hasCount = (index: number) => spans[index]?.usage !== undefined || spans[index]?.cost !== undefined
  const areCountedBelow = haveMarkedBelow(parents, hasCount)
  return spans.filter((_, index) => hasCount(index) && !areCountedBelow[index])
}

/** The model of the call with most tokens, or else of the first call. */
function modelOf(spans: readonly MappedSpan[], counted: readonly MappedSpan[]): string | undefined {
  const named = counted.filter(({ model }) => model !== undefined)
  const tokens = ({ usage }: MappedSpan) => usage?.total_tokens ?? 0
  const largest = named.reduce<MappedSpan | undefined>(
    (most, span) => (most && tokens(most) >= tokens(span) ? most : span),
    undefined,
  )
  const calls = spans.filter(({ model }) => model !== undefined)
  return (largest ?? calls.find(isModelCall) ?? calls[0])?.model
}

function inputOf(root: MappedSpan, spans: readonly MappedSpan[]): string {
  if (root.input) return contentText(root.input)
  const first = spans.find((span) => isModelCall(span) && span.input)
  return lastText(first?.input, 'user') ?? ''
}

function outputOf(root: MappedSpan, spans: readonly MappedSpan[]): string {
  if (root.output) return lastText(root.output) ?? ''
  const last = spans.findLast((span) => isModelCall(span) && span.output)
  return lastText(last?.output) ?? ''
}

/** A text that identifies something. Numbers are accepted, because some SDKs send the number of a user. */
function idOf(value: AttributeValue): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)
}

/** A list of texts, also as JSON or separated by commas. */
function tagsOf(value: AttributeValue): string[] | undefined {
  const parsed = parsedIfJson(value)
  const list = typeof parsed === 'string' ? parsed.split(',').map((tag) => tag.trim()) : parsed
  const tags = Array.isArray(list) ? list.filter((tag) => typeof tag === 'string' && tag !== '') : []
  return tags.length > 0 ? [...new Set<string>(tags)].slice(0, limits.tagsPerTrace) : undefined
}

interface TraceFields {
  version: string | undefined
  environment: string | undefined
  session_id: string | undefined
  user_id: string | undefined
  tags: string[] | undefined
  metadata: { [key: string]: unknown }
}

/** The first value on the root, else on any span, else in a resource. */
function* find<T>(
  root: MappedSpan,
  spans: readonly MappedSpan[],
  names: readonly string[],
  read: (value: AttributeValue) => T | undefined,
): Generator<void, T | undefined> {
  for (const { reader } of [root, ...spans]) {
    const found = reader.first(names, read)
    if (found !== undefined) return found
    yield
  }
  return inResource(root, names, read)
}

function inResource<T>(
  { span }: MappedSpan,
  names: readonly string[],
  read: (value: AttributeValue) => T | undefined,
): T | undefined {
  for (const name of names) {
    const value = Object.hasOwn(span.resource, name) ? span.resource[name] : undefined
    const found = value === undefined ? undefined : read(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first of the names on the root or in its resource. */
function onRoot(root: MappedSpan, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = root.reader.first([name], idOf) ?? inResource(root, [name], idOf)
    if (found !== undefined) return found
  }
  return undefined
}

function* fieldsOf(root: MappedSpan, spans: readonly MappedSpan[]): Generator<void, TraceFields> {
  const { metadata } = [root, ...spans].find((span) => span.metadata.size > 0) ?? root
  const entries = [...metadata].map(([key, { value }]) => [key, value] as const)
  return {
    version: onRoot(root, traceNames.version),
    environment: onRoot(root, traceNames.environment),
    session_id: yield* find(root, spans, traceNames.session_id, idOf),
    user_id: yield* find(root, spans, traceNames.user_id, idOf),
    tags: yield* find(root, spans, traceNames.tags, tagsOf),
    metadata: Object.fromEntries(entries),
  }
}

/** Marks the attributes of a span that have the values of the trace. */
function showFields({ reader, metadata: own }: MappedSpan, fields: TraceFields): void {
  for (const field of ['version', 'environment', 'session_id', 'user_id'] as const) {
    if (fields[field] === undefined) continue
    const same = traceNames[field].filter((name) => {
      const value = reader.get(name)
      return value !== undefined && idOf(value) === fields[field]
    })
    reader.show(same)
  }
  const tags: ReadonlySet<unknown> = new Set(fields.tags)
  const shownTags = traceNames.tags.filter((name) => {
    const list = parsedIfJson(reader.get(name))
    return Array.isArray(list) && list.length > 0 && list.every((tag) => tags.has(tag))
  })
  reader.show(shownTags)
  for (const [key, { value, name }] of own) {
    if (name !== undefined && isDeepStrictEqual(value, fields.metadata[key])) reader.show([name])
  }
  const metadata = parsedIfJson(reader.get('metadata'))
  if (isObject(metadata) && isDeepStrictEqual(metadata, fields.metadata)) reader.show(['metadata'])
}

/** The trace that spans and given fields make; there is at least one span, or fields. Yields where the caller should pause. */
export function* toTraceInSteps(
  spans: readonly OtlpSpan[],
  given?: GivenTrace,
): Generator<void, CreateTrace> {
  if (!given) return yield* ofSpans(spans, {})
  const without = { input: '', output: '', ...givenFields(given) }
  return withGiven(spans.length === 0 ? without : yield* ofSpans(spans, givenFields(given)), given)
}

/** The trace that spans make; `known` fields take precedence. */
function* ofSpans(
  given: readonly OtlpSpan[],
  known: ReturnType<typeof givenFields>,
): Generator<void, CreateTrace> {
  const ordered = inOrder(given)
  const whole = ordered.find(({ parentId }) => parentId === undefined)
  const spans: MappedSpan[] = []
  for (const span of ordered) {
    spans.push(mapSpan(span, span === (whole ?? ordered[0])))
    yield
  }
  const root = spans.find(({ span }) => span === whole) ?? spans[0]
  if (!root) throw new Error('a trace has at least one span')
  const counted = countedSpans(spans)
  const fields = { ...(yield* fieldsOf(root, spans)), ...known }
  const inputs: ReturnType<typeof toSpanInput>[] = []
  for (const span of spans) {
    showFields(span, fields)
    const hasOwnResource = span === root || !isDeepStrictEqual(span.span.resource, root.span.resource)
    inputs.push(toSpanInput(span, hasOwnResource))
    yield
  }
  const service = textOf(root.span.resource['service.name'])
  const latency = latencyOf(whole && root, spans)
  const model = modelOf(spans, counted)
  const { tags, metadata, ...ids } = fields
  return {
    name: root.span.name,
    input: inputOf(root, spans),
    output: outputOf(root, spans),
    model: model ?? null,
    latency_ms: latency,
    tags: tags ?? [],
    token_usage: sumOf(counted.flatMap(({ usage }) => usage ?? [])),
    metadata,
    ...(service !== undefined && { custom_attributes: { 'service.name': service } }),
    version: ids.version ?? null,
    session_id: ids.session_id ?? null,
    user_id: ids.user_id ?? null,
    environment: ids.environment ?? null,
    status: root.isFailed ? 'error' : 'success',
    ...(root.isFailed && root.error !== undefined && { error: root.error }),
    spans: inputs,
    ...createdAt(root.span.startMs),
  }
}

function createdAt(ms: number): { created_at?: string } {
  return ms > 0 && ms <= lastMs ? { created_at: toIso(Math.floor(ms)) } : {}
}

/** The root's duration, or the time from the first start to the last end without a root that has ended. */
function latencyOf(root: MappedSpan | undefined, spans: readonly MappedSpan[]): number | null {
  const hasEnded = root !== undefined && root.span.endMs !== null
  const times = (hasEnded ? [root] : spans).map(
    ({ span }) => [span.startMs, span.endMs ?? span.startMs] as const,
  )
  const [start, end] = times.reduce(
    ([first, last], [from, to]) => [Math.min(first, from), Math.max(last, to)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const latency = end - start
  return latency >= 0 && latency <= limits.largestAmount ? latency : null
}
