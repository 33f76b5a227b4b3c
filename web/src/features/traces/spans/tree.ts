import type { Span } from '@cairn/sdk'

/** A span whose optional fields may have any type, because older servers did not check them. */
export type TraceSpan = Pick<Span, 'name' | 'start_ms' | 'end_ms' | 'attributes'> & Record<string, unknown>

/** A span in the tree; times are milliseconds since the start of the first span. */
export interface SpanNode {
  span: TraceSpan
  /** Index in the trace. */
  at: number
  depth: number
  children: SpanNode[]
  parent: SpanNode | undefined
  /** Null for a span without times. */
  from: number | null
  to: number | null
  /** Time ranges in which no child was running. */
  self: [number, number][]
  selfMs: number
}

export interface SpanTree {
  roots: SpanNode[]
  /** All spans in the order of display. */
  nodes: SpanNode[]
  /** Milliseconds from the first start to the last end. */
  totalMs: number
  /** The first start, in epoch milliseconds; undefined if no span has a time. */
  originMs: number | undefined
  /** Number of levels. */
  levels: number
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Builds the tree, with siblings ordered by start. A span with a missing parent, or in a cycle, becomes a root. */
export function buildTree(spans: readonly Span[]): SpanTree {
  const times = spans.flatMap(({ start_ms, end_ms }) => [start_ms ?? [], end_ms ?? []].flat())
  const origin = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const last = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  const all = spans.map((span, at) => toNode(span, at, origin))
  const byId = new Map(
    all.flatMap((node) => (textOf(node.span.span_id) ? [[node.span.span_id, node] as const] : [])),
  )
  for (const node of all) {
    const parent = byId.get(textOf(node.span.parent_id))
    if (parent !== node) node.parent = parent
  }
  for (const node of all) breakCircle(node)
  for (const node of all) node.parent?.children.push(node)
  const roots = all.filter(({ parent }) => !parent).sort(byStart)
  const nodes = inOrder(roots)
  for (const node of nodes) setSelf(node)
  const hasTimes = times.length > 0
  return {
    roots,
    nodes,
    totalMs: hasTimes ? last - origin : 0,
    originMs: hasTimes ? origin : undefined,
    levels: nodes.reduce((most, { depth }) => Math.max(most, depth + 1), 0),
  }
}

function toNode(span: Span, at: number, origin: number): SpanNode {
  const { start_ms: start, end_ms: end } = span
  const from = start === null ? null : start - origin
  const to = end === null ? from : end - origin
  return {
    span: span as TraceSpan,
    at,
    depth: 0,
    children: [],
    parent: undefined,
    from,
    to,
    self: [],
    selfMs: 0,
  }
}

/** Spans whose ancestors are known to end at a root. */
const checked = new WeakSet<SpanNode>()

/** Turns a span of a cycle of parents into a root. */
function breakCircle(node: SpanNode): void {
  const way = new Set<SpanNode>()
  let up: SpanNode | undefined = node
  while (up && !checked.has(up)) {
    way.add(up)
    checked.add(up)
    up = up.parent
  }
  if (up && way.has(up)) up.parent = undefined
}

const byStart = (a: SpanNode, b: SpanNode) =>
  (a.from ?? Number.POSITIVE_INFINITY) - (b.from ?? Number.POSITIVE_INFINITY) || a.at - b.at

/** Depth-first order, without recursion, since a chain of spans can be very deep. */
function inOrder(roots: readonly SpanNode[]): SpanNode[] {
  const nodes: SpanNode[] = []
  const waiting = roots.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    nodes.push(node)
    node.children.sort(byStart)
    for (const child of node.children.toReversed()) {
      child.depth = node.depth + 1
      waiting.push(child)
    }
  }
  return nodes
}

/** Computes the self time of a span; its children must be sorted by start. */
function setSelf(node: SpanNode): void {
  if (node.from === null || node.to === null) return
  let free = node.from
  for (const { from, to } of node.children) {
    if (from === null || to === null) continue
    if (from > free) node.self.push([free, Math.min(from, node.to)])
    free = Math.max(free, to)
    if (free >= node.to) break
  }
  if (free < node.to) node.self.push([free, node.to])
  node.self = node.self.filter(([from, to]) => to > from)
  node.selfMs = node.self.reduce((sum, [from, to]) => sum + to - from, 0)
}

/** The spans that no collapsed ancestor hides. */
export function visibleNodes({ nodes }: SpanTree, collapsed: ReadonlySet<number>): SpanNode[] {
  if (collapsed.size === 0) return nodes
  const visible: SpanNode[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const node of nodes) {
    if (node.depth > hiddenBelow) continue
    hiddenBelow = collapsed.has(node.at) ? node.depth : Number.POSITIVE_INFINITY
    visible.push(node)
  }
  return visible
}

/** The span that an address names by its id, or by its index in the trace. */
export function spanAt({ nodes }: SpanTree, address: string | undefined): SpanNode | undefined {
  if (address === undefined) return undefined
  return nodes.find(({ span }) => span.span_id === address) ?? nodes.find(({ at }) => String(at) === address)
}

/** The id of a span, which stays the same when further spans arrive, or its index if the id does not lead to it. */
export function addressOf(tree: SpanTree, node: SpanNode): string {
  const id = textOf(node.span.span_id)
  return id !== undefined && spanAt(tree, id) === node ? id : String(node.at)
}

/** Whether a span failed. */
export function isFailed({ status, error }: TraceSpan): boolean {
  return textOf(error) !== undefined || /^(error|failed|failure)$/i.test(textOf(status) ?? '')
}
