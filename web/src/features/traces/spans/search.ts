import { kindOf } from './kinds.ts'
import type { SpanNode, SpanTree, TraceSpan } from './tree.ts'

/** Number of characters of a span that are searched. */
const searched = 200_000

const texts = new WeakMap<TraceSpan, string>()

/** The text of a span that is searched, in lower case. */
function textOf(span: TraceSpan): string {
  const known = texts.get(span)
  if (known !== undefined) return known
  const { name, model, status, error, input, output, attributes, events } = span
  const parts = [name, kindOf(span), model, status, error, input, output, attributes, events]
  const text = parts.map(asText).join('\n').slice(0, searched).toLowerCase()
  texts.set(span, text)
  return text
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.slice(0, searched)
  try {
    return JSON.stringify(value)
  } catch {
    // Nested too deep.
    return ''
  }
}

export interface Found {
  /** The spans that contain the text, in the order of display. */
  matches: SpanNode[]
  /** Indexes of these spans and of the spans above them. */
  kept: ReadonlySet<number>
}

/** The spans that contain a text in their name, content or attributes; undefined for an empty text. */
export function findSpans({ nodes }: SpanTree, text: string): Found | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return undefined
  const matches = nodes.filter(({ span }) => textOf(span).includes(wanted))
  const kept = new Set<number>()
  for (const match of matches) {
    for (let up: SpanNode | undefined = match; up && !kept.has(up.at); up = up.parent) kept.add(up.at)
  }
  return { matches, kept }
}
