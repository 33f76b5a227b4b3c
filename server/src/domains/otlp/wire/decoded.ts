import type { Attributes, AttributeValue } from '../span.ts'
import { TooManyValuesError } from './read-value.ts'

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

/** Decodes an item. An item with too many values does not reject the request. */
export async function entryOf<T>(read: () => T | Promise<T>): Promise<Entry<T>> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof TooManyValuesError) return error.message
    throw error
  }
}
