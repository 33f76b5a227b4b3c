import { setTimeout as pause } from 'node:timers/promises'
import { currentRequest } from '../../lib/current-work.ts'
import { giveWay, pauseInTurn } from '../../lib/turns.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** A body of an error is cut off here; only its error code is of interest. */
const maxErrorBytes = 64 * kilobyte
/** A hundred vectors with 4,096 numbers each have about 9 MB as JSON. */
const maxBodyBytes = 16 * megabyte
/** A token takes up to 300 bytes, so this is enough for 200,000 tokens. */
const maxStreamBytes = 64 * megabyte
/** A parser keeps an event until its end. */
const maxEventBytes = megabyte
/**
 * Parsing one JSON value keeps the event loop busy for about as long as its weight says: a comma, such as between two
 * numbers of a vector, weighs 1; an array, an object or a key weighs 20.
 */
const maxJsonWeight = 1_000_000

/**
 * Parsing events keeps the event loop busy, so a provider that sends without end would starve all other requests. With
 * these pauses after each piece, a stream has at most 1.6 MB a second and all streams together 3.2 MB, many times more
 * than models write.
 */
const pace = { pieceBytes: 16 * kilobyte, pauseMs: 10, sharedPauseMs: 5 }

function pauseAfterPiece(): Promise<unknown> {
  return Promise.all([pauseInTurn(pace.sharedPauseMs), pause(pace.pauseMs)])
}

class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

const lineFeed = 10
const carriageReturn = 13

const quote = 34
const backslash = 92
/** By character code: `,`, `:`, `[` and `{`. */
const jsonWeights = Uint8Array.from(
  { length: 256 },
  (_, code) => ({ 44: 1, 58: 20, 91: 20, 123: 20 })[code] ?? 0,
)

/** Weighs a JSON value. */
class JsonMeter {
  #weight = 0
  #isInString = false
  #isEscaped = false

  count(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === quote) this.#isInString = !this.#isInString
    else if (this.#isInString) this.#isEscaped = byte === backslash
    else {
      this.#weight += jsonWeights[byte] ?? 0
      if (this.#weight > maxJsonWeight) throw new ResponseTooLarge('the JSON value has too many parts')
    }
  }
}

/** Counts the bytes of each event. An event ends with an empty line. */
class EventMeter {
  #eventBytes = 0
  #lineBytes = 0
  #last = 0
  #json = new JsonMeter()

  count(part: Uint8Array): void {
    for (const byte of part) {
      const isLineEnd = byte === lineFeed || byte === carriageReturn
      const isSameLineEnd = byte === lineFeed && this.#last === carriageReturn
      this.#last = byte
      this.#eventBytes++
      this.#json.count(byte)
      if (isSameLineEnd) continue
      if (isLineEnd && this.#lineBytes === 0) {
        this.#eventBytes = 0
        this.#json = new JsonMeter()
      }
      this.#lineBytes = isLineEnd ? 0 : this.#lineBytes + 1
      if (this.#eventBytes > maxEventBytes) throw new ResponseTooLarge('an event is too large')
    }
  }
}

/** Lengths of a frame and of its headers, and a checksum. */
const prelude = { lengthBytes: 4, bytes: 12, checksumBytes: 4 }

/** Counts the bytes of each frame of Amazon's event streams: prelude, headers, a payload of JSON, and a checksum. */
class FrameMeter {
  #at = 0
  #length = 0
  #headersLength = 0
  #json = new JsonMeter()

  count(part: Uint8Array): void {
    for (const byte of part) {
      // The decoder reads the lengths as unsigned numbers, highest byte first.
      if (this.#at < prelude.lengthBytes) this.#length = this.#length * 256 + byte
      else if (this.#at < 2 * prelude.lengthBytes) this.#headersLength = this.#headersLength * 256 + byte
      else if (this.#isPayload()) this.#json.count(byte)
      this.#at++
      if (this.#at < prelude.lengthBytes) continue
      if (this.#length > maxEventBytes) throw new ResponseTooLarge('an event is too large')
      if (this.#length <= prelude.bytes) throw new ResponseTooLarge('an event has no length')
      if (this.#at === this.#length) this.#begin()
    }
  }

  #isPayload(): boolean {
    return this.#at >= prelude.bytes + this.#headersLength && this.#at < this.#length - prelude.checksumBytes
  }

  #begin(): void {
    this.#at = 0
    this.#length = 0
    this.#headersLength = 0
    this.#json = new JsonMeter()
  }
}

type Bound = TransformStream<Uint8Array, Uint8Array>

function boundedEvents(meter: EventMeter | FrameMeter): Bound {
  let bytes = 0
  let unpaced = 0
  return new TransformStream({
    async transform(part, controller) {
      for (let at = 0; at < part.length; at += pace.pieceBytes) {
        const piece = part.subarray(at, at + pace.pieceBytes)
        bytes += piece.length
        unpaced += piece.length
        if (bytes > maxStreamBytes) throw new ResponseTooLarge('the stream is too large')
        meter.count(piece)
        controller.enqueue(piece)
        if (unpaced < pace.pieceBytes) continue
        unpaced = 0
        await pauseAfterPiece()
      }
    },
  })
}

function boundedBody(): Bound {
  const meter = new JsonMeter()
  let bytes = 0
  return new TransformStream({
    async transform(part, controller) {
      bytes += part.length
      if (bytes > maxBodyBytes) throw new ResponseTooLarge('the body is too large')
      for (const byte of part) meter.count(byte)
      controller.enqueue(part)
      await giveWay()
    },
  })
}

function startOfBody(): Bound {
  let rest = maxErrorBytes
  return new TransformStream({
    transform(part, controller) {
      controller.enqueue(part.subarray(0, rest))
      rest -= part.length
      if (rest <= 0) controller.terminate()
    },
  })
}

function hasType(response: Response, type: string): boolean {
  return response.headers.get('content-type')?.startsWith(type) ?? false
}

export function isEventStream(response: Response): boolean {
  return hasType(response, 'text/event-stream')
}

function boundOf(response: Response): Bound {
  if (!response.ok) return startOfBody()
  if (isEventStream(response)) return boundedEvents(new EventMeter())
  if (hasType(response, 'application/vnd.amazon.eventstream')) return boundedEvents(new FrameMeter())
  return boundedBody()
}

/** The headers of a call, with the `traceparent` of the request that causes it. */
function headersOf(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers)
  const traceparent = currentRequest()?.traceparent
  if (traceparent !== undefined) headers.set('traceparent', traceparent)
  return headers
}

/**
 * A fetch for model providers. It bounds the memory and the time on the event loop that a response can take, whatever a
 * provider sends. It does not follow redirects, because the request contains the key of the provider.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, headers: headersOf(init), redirect: 'manual' })
  if (!response.body) return response
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(boundOf(response)), { status, statusText, headers })
}
