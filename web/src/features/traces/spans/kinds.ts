import type { TraceSpan } from './tree.ts'

/** Colours of span kinds; other kinds share one colour. */
const colours: Record<string, string> = {
  llm: 'var(--series-1)',
  retrieval: 'var(--series-2)',
  tool: 'var(--series-3)',
  agent: 'var(--series-4)',
  embedding: 'var(--series-7)',
  chain: 'var(--series-8)',
}

export function kindOf(span: TraceSpan): string {
  return typeof span.kind === 'string' ? span.kind : ''
}

export function colourOfKind(kind: string): string {
  return colours[kind] ?? 'var(--series-5)'
}
