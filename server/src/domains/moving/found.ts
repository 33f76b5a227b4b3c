import { CairnError } from '@cairn/contract'
import { sha256 } from '../../lib/hash.ts'
import {
  type Attributes,
  type GivenTrace,
  type OtlpSpan,
  type ReceivedPart,
  type SpanEvent,
  scopeOfImport,
} from '../otlp/index.ts'
import { present } from './fields.ts'

/** A span in an export. */
export interface FoundSpan {
  traceId: string
  spanId: string
  parentId?: string | undefined
  name: string | undefined
  startMs: number
  endMs: number | undefined
  /** Those without a value are left out. */
  attributes: { [name: string]: unknown }
  events?: SpanEvent[]
  /** The message of a failed span; empty if it failed without one. */
  error?: string | undefined
}

export interface FoundScore {
  traceId: string
  /** Missing for a score of the whole trace. */
  spanId: string | undefined
  /** The id in the export; without one, the same score of the same trace or span is replaced. */
  id: string | undefined
  name: string | undefined
  value: number | undefined
  comment: string | undefined
  createdMs: number | undefined
}

/** The range of a score's values, for scores that are not from 0 to 1. */
export type Scales = ReadonlyMap<string, readonly [from: number, to: number]>

const maxNameLength = 200
/** Reasons with the names of scores are counted apart up to this number. */
const maxReasons = 100

/** Counts the parts of records that cannot be imported, by reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>()

  add(reason: string, count = 1): void {
    if (count === 0) return
    const isNew = !this.#counts.has(reason)
    const counted = isNew && this.#counts.size >= maxReasons ? 'other parts' : reason
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + count)
  }

  /** Adds the counts of a record. */
  take(other: LeftOut): void {
    for (const [reason, count] of other.#counts) this.add(reason, count)
  }

  get counts(): [reason: string, count: number][] {
    return [...this.#counts].sort((a, b) => b[1] - a[1])
  }
}

function scoreId(tool: string, { traceId, spanId, id, name }: FoundScore): string {
  const hash = BigInt(`0x${sha256(JSON.stringify([tool, id ?? [traceId, spanId, name]]))}`)
  return `scr_${hash.toString(36).slice(0, 20).padStart(20, '0')}`
}

/** The parts of traces that records of an export contain. */
export class Found {
  readonly #tool: string
  readonly #scales: Scales
  readonly leftOut: LeftOut
  readonly parts: ReceivedPart[] = []

  constructor(tool: string, scales: Scales, leftOut: LeftOut) {
    this.#tool = tool
    this.#scales = scales
    this.leftOut = leftOut
  }

  span({ traceId, attributes, endMs, parentId, error, events, name, ...span }: FoundSpan): void {
    const failed: OtlpSpan['status'] = { code: 'error', ...(error && { message: error }) }
    this.parts.push({
      traceId,
      part: {
        span: {
          ...span,
          ...(parentId !== undefined && { parentId }),
          name: name ?? 'span',
          kind: 0,
          endMs: endMs === undefined ? null : Math.max(span.startMs, endMs),
          attributes: present(attributes) as Attributes,
          events: events ?? [],
          status: error === undefined ? { code: 'unset' } : failed,
          resource: {},
          scope: scopeOfImport(this.#tool),
        },
      },
    })
  }

  trace(traceId: string, fields: { [K in keyof GivenTrace]: GivenTrace[K] | undefined }): void {
    this.parts.push({ traceId, part: { trace: present(fields) } })
  }

  score(score: FoundScore): void {
    const { traceId, spanId, name, value, comment, createdMs } = score
    if (name === undefined || name.trim() === '' || name.length > maxNameLength) {
      throw new CairnError(
        'invalid_request',
        `the name of a score must have 1 to ${maxNameLength} characters`,
      )
    }
    const scaled = this.#scaled(name, value)
    if (scaled === undefined) return
    this.parts.push({
      traceId,
      part: {
        score: {
          id: scoreId(this.#tool, score),
          name,
          value: scaled,
          createdMs: Math.floor(createdMs ?? Date.now()),
          ...(comment !== undefined && { comment }),
          ...(spanId !== undefined && { spanId }),
        },
      },
    })
  }

  /** A value from 0 to 1; undefined, with a reason, for others. */
  #scaled(name: string, value: number | undefined): number | undefined {
    if (value === undefined) {
      this.leftOut.add(`scores ${name}: they have no number`)
      return undefined
    }
    const [from, to] = this.#scales.get(name) ?? [0, 1]
    const scaled = (value - from) / (to - from)
    if (scaled >= 0 && scaled <= 1) return scaled
    const example = from === 0 && to === 1 ? `; name their range, for example --scale ${name}=1..5` : ''
    this.leftOut.add(`scores ${name}: values outside ${from} to ${to}${example}`)
    return undefined
  }
}
