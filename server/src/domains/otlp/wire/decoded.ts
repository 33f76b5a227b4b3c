import type { Attributes, AttributeValue } from '../span.ts'

/** A log record of a request; ids in hex, empty if missing. */
export interface DecodedLog {
  traceId: string
  spanId: string
  /** The name of the event. */
  name: string
  timeMs: number
  body: AttributeValue
  attributes: Attributes
}

/** A decoded item of a request, or the reason why it alone is rejected. */
export type Entry<T> = T | string
