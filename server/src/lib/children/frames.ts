import { Deserializer, Serializer } from 'node:v8'

/**
 * The format of a message between processes: the lengths of its parts, the value without its arrays, and the bytes of
 * each array. Arrays are copied neither into nor out of the message, so megabytes cost the event loop little.
 */
const arrayTypes: readonly (new (buffer: ArrayBuffer) => ArrayBufferView)[] = [
  Uint8Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
]
/** Bytes of the number of parts, and of each length. */
const numberBytes = 4

class FrameSerializer extends Serializer {
  /** Exists in Node but not in its types. */
  declare _setTreatArrayBufferViewsAsHostObjects: (flag: boolean) => void
  readonly arrays: Uint8Array[] = []

  _writeHostObject(object: object): void {
    const type = Buffer.isBuffer(object) ? 0 : arrayTypes.findIndex((each) => object instanceof each)
    if (!ArrayBuffer.isView(object) || type < 0) throw new TypeError('the value cannot be sent to a process')
    this.writeUint32(type)
    this.writeUint32(this.arrays.length)
    this.arrays.push(new Uint8Array(object.buffer, object.byteOffset, object.byteLength))
  }
}

class FrameDeserializer extends Deserializer {
  readonly #arrays: readonly Uint8Array<ArrayBuffer>[]

  constructor(value: Uint8Array, arrays: readonly Uint8Array<ArrayBuffer>[]) {
    super(value)
    this.#arrays = arrays
  }

  _readHostObject(): ArrayBufferView {
    const type = arrayTypes[this.readUint32()]
    const array = this.#arrays[this.readUint32()]
    if (!type || !array) throw new TypeError('the message of the process is damaged')
    return new type(array.buffer)
  }
}

/** The pieces of a message, to be written in order. The arrays of the value are among them without a copy. */
export function frameOf(value: unknown): Uint8Array[] {
  const serializer = new FrameSerializer()
  serializer._setTreatArrayBufferViewsAsHostObjects(true)
  serializer.writeHeader()
  serializer.writeValue(value)
  const parts = [serializer.releaseBuffer(), ...serializer.arrays]
  const head = Buffer.alloc(numberBytes * (1 + parts.length))
  head.writeUInt32LE(parts.length)
  for (const [at, { byteLength }] of parts.entries()) head.writeUInt32LE(byteLength, numberBytes * (1 + at))
  return [head, ...parts]
}

/** A message announces more bytes than the limit. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError'
}

/** Assembles messages from pieces of any size. A message over the limit is rejected before memory is allocated for it. */
export class FrameReader {
  readonly #maxBytes: number
  /** The current section: the number of parts, their lengths, or the parts. */
  #reading: 'count' | 'lengths' | 'parts' = 'count'
  #targets: Uint8Array<ArrayBuffer>[] = [new Uint8Array(numberBytes)]
  /** The buffer that is being filled, and its filled length. */
  #at = 0
  #filled = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The messages that this piece completes. @throws FrameTooLargeError */
  push(piece: Uint8Array): unknown[] {
    const values: unknown[] = []
    let from = 0
    for (;;) {
      const target = this.#targets[this.#at]
      if (!target) values.push(...this.#next())
      else if (this.#filled === target.length) {
        this.#at += 1
        this.#filled = 0
      } else if (from === piece.length) return values
      else {
        const part = piece.subarray(from, from + target.length - this.#filled)
        target.set(part, this.#filled)
        this.#filled += part.length
        from += part.length
      }
    }
  }

  /** Moves to the next section when all buffers are full. */
  #next(): unknown[] {
    const targets = this.#targets
    this.#at = 0
    if (this.#reading === 'parts') {
      const [value, ...arrays] = targets
      this.#reading = 'count'
      this.#targets = [new Uint8Array(numberBytes)]
      const deserializer = new FrameDeserializer(value as Uint8Array, arrays)
      deserializer.readHeader()
      return [deserializer.readValue()]
    }
    const numbers = numbersOf(targets[0] as Uint8Array<ArrayBuffer>)
    const lengths = this.#reading === 'count' ? numbers.map((count) => count * numberBytes) : numbers
    const sum = lengths.reduce((total, length) => total + length, 0)
    if (sum > this.#maxBytes)
      throw new FrameTooLargeError(`the message has more than ${this.#maxBytes} bytes`)
    this.#reading = this.#reading === 'count' ? 'lengths' : 'parts'
    this.#targets = lengths.map((length) => new Uint8Array(length))
    return []
  }
}

function numbersOf(bytes: Uint8Array<ArrayBuffer>): number[] {
  const view = new DataView(bytes.buffer)
  const count = bytes.length / numberBytes
  return Array.from({ length: count }, (_, at) => view.getUint32(at * numberBytes, true))
}
