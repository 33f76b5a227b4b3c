import type { AttributeValue } from '../span.ts'

/** The request does not have the form of the protocol; the message says where. */
export class MalformedOtlpError extends Error {}

/** A span or log record has more values than can be read without delaying other requests. */
export class TooManyValuesError extends Error {}

/** Values of one span or log record, and how deep they may nest. */
const [maxValues, maxDepth] = [50_000, 100]

/** A level of attributes consists of up to three messages of protobuf. */
export const maxMessageDepth = 3 * maxDepth + 10

/** Counts the values of one span or log record. */
export class ValueCount {
  #left = maxValues

  /** @throws TooManyValuesError */
  add(depth: number): void {
    this.#left -= 1
    if (this.#left < 0) throw new TooManyValuesError(`a span has at most ${maxValues} values`)
    if (depth > maxDepth) throw new TooManyValuesError(`attributes nest at most ${maxDepth} levels deep`)
  }
}

/** JSON has no infinity and no NaN. */
export function fromDouble(value: number): AttributeValue {
  return Number.isFinite(value) ? value : String(value)
}

/** JavaScript has no exact integers beyond 2^53. */
export function fromInteger(value: bigint): AttributeValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** Milliseconds with microseconds as a fraction. */
export function fromNanoseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000
}
