import type { SpanEventInput, SpanInput, TokenUsage } from '@cairn/contract'
import { textOf } from '@cairn/contract/conversations'
import type { OtlpSpan, SpanEvent } from '../span.ts'
import type { Content } from './candidate.ts'
import { readContent } from './content.ts'
import { kindHints, kindNames, type SpanKind } from './kinds.ts'
import { type Metadata, readMetadata } from './metadata.ts'
import { AttributeReader } from './reader.ts'
import { inputs, names, outputs } from './table.ts'
import { readCost, readUsage } from './usage.ts'
import { toJsonValue } from './values.ts'

/** A span with the fields that were read from its attributes. `reader` knows which attributes no field shows yet. */
export interface MappedSpan {
  span: OtlpSpan
  reader: AttributeReader
  events: readonly SpanEvent[]
  metadata: Metadata
  kind: SpanKind | undefined
  input: Content | undefined
  output: Content | undefined
  model: string | undefined
  usage: TokenUsage | undefined
  cost: number | undefined
  isFailed: boolean
  error: string | undefined
}

/** Without the quotes that MLflow puts around each text. */
function unquoted(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : (/^"(.+)"$/s.exec(text)?.[1] ?? text)
}

function kindOf(reader: AttributeReader): SpanKind | undefined {
  for (const [name, kinds] of kindNames) {
    const text = unquoted(reader.get(name))
    const value = text !== undefined && !Object.hasOwn(kinds, text) ? text.toUpperCase() : text
    if (value !== undefined && Object.hasOwn(kinds, value)) return kinds[value]
  }
  const hint = kindHints.find(([name]) =>
    name.endsWith('.') ? reader.below(name.slice(0, -1)).length > 0 : reader.get(name) !== undefined,
  )
  return hint?.[1]
}

function modelOf(reader: AttributeReader, kind: SpanKind | undefined): string | undefined {
  const model = reader.take(names.model, textOf)
  if (model !== undefined) return unquoted(model)
  const isGenkitModel =
    reader.get('genkit:metadata:subtype') !== undefined && (kind === 'llm' || kind === 'embedding')
  return isGenkitModel ? textOf(reader.get('genkit:name')) : undefined
}

function isFailed({ status }: OtlpSpan, reader: AttributeReader): boolean {
  const isError =
    reader.get('langfuse.observation.level') === 'ERROR' || reader.get('genkit:state') === 'error'
  return status.code === 'error' || isError
}

function errorOf(
  { status }: OtlpSpan,
  events: readonly SpanEvent[],
  reader: AttributeReader,
): string | undefined {
  const thrown = events.find(({ name }) => name === 'exception')?.attributes
  return (
    textOf(status.message) ??
    textOf(thrown?.['exception.message']) ??
    reader.first(names.error, textOf) ??
    textOf(thrown?.['exception.type'])
  )
}

export function mapSpan(span: OtlpSpan, isRoot: boolean): MappedSpan {
  const events = span.events.map(toJsonEvent)
  const reader = new AttributeReader(span.attributes)
  const kind = kindOf(reader)
  const side = { reader, events, kind }
  const input = readContent(inputs, { ...side, isOutput: false })
  const output = readContent(outputs, { ...side, isOutput: true })
  const failed = isFailed(span, reader)
  const answer = kind === 'llm' ? reader.get('genkit:output') : undefined
  return {
    span,
    reader,
    events,
    kind,
    metadata: readMetadata(reader, isRoot),
    input,
    output,
    model: modelOf(reader, kind),
    usage: readUsage(reader, answer),
    cost: readCost(reader),
    isFailed: failed,
    error: failed ? errorOf(span, events, reader) : undefined,
  }
}

const otlpKinds: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'server',
  'client',
  'producer',
  'consumer',
]

function timeOf(ms: number | null): number | null {
  return ms !== null && Number.isFinite(ms) ? ms : null
}

function toJsonEvent(event: SpanEvent): SpanEvent {
  return { ...event, attributes: toJsonValue(event.attributes) as SpanEvent['attributes'] }
}

function toEvent({ name, timeMs, attributes }: SpanEvent): SpanEventInput {
  return { name, time_ms: timeOf(timeMs), attributes }
}

/** A span of our API. It has the resource only if it is not that of the trace. */
export function toSpanInput(
  { span, reader, events, kind, input, output, model, usage, cost, isFailed: failed, error }: MappedSpan,
  hasOwnResource: boolean,
): SpanInput & { [other: string]: unknown } {
  const [startMs, endMs] = [timeOf(span.startMs), timeOf(span.endMs)]
  // A span whose clock was set back, or that has no end.
  const isBackwards = startMs !== null && endMs !== null && endMs < startMs
  const status = failed ? 'error' : span.status.code === 'ok' ? 'ok' : undefined
  const otlpKind = otlpKinds[span.kind]
  return {
    name: span.name,
    start_ms: startMs,
    end_ms: isBackwards ? null : endMs,
    attributes: reader.others(),
    span_id: span.spanId,
    ...(span.parentId !== undefined && { parent_id: span.parentId }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(input && { input: input.value }),
    ...(output && { output: output.value }),
    ...(model !== undefined && { model }),
    ...(usage && { token_usage: usage }),
    ...(cost !== undefined && { cost }),
    ...(events.length > 0 && { events: events.map(toEvent) }),
    ...(otlpKind !== undefined && { otlp_kind: otlpKind }),
    ...(span.scope.name !== '' && { scope: span.scope }),
    ...(hasOwnResource && { resource: toJsonValue(span.resource) }),
  }
}

export function isModelCall({ kind }: MappedSpan): boolean {
  return kind === 'llm'
}
