import type { DescMessage } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { createPacer } from '../../../lib/turns.ts'
import { ValueCount } from './read-value.ts'

/** Smaller messages are decoded at once. */
const scannedBytes = 64 * 1024

/** Fields between two pauses. */
const fieldsPerPiece = 2_000

/** The fields of messages that are messages, by their number. */
class MessageFields {
  readonly #known = new Map<DescMessage, Map<number, DescMessage>>()

  of(desc: DescMessage): Map<number, DescMessage> {
    const known = this.#known.get(desc)
    if (known) return known
    const fields = desc.fields.flatMap((field): [number, DescMessage][] =>
      field.message ? [[field.number, field.message]] : [],
    )
    const created = new Map(fields)
    this.#known.set(desc, created)
    return created
  }
}

/**
 * Counts the fields of a large message before it is decoded, with pauses. Decoding is not interruptible and needs far more
 * memory than the bytes if they contain millions of empty values.
 * @throws TooManyValuesError
 */
export async function scanLarge(desc: DescMessage, bytes: Uint8Array): Promise<void> {
  if (bytes.length <= scannedBytes) return
  const reader = new BinaryReader(bytes)
  const count = new ValueCount()
  const pace = createPacer()
  const messageFields = new MessageFields()
  const open = [{ fields: messageFields.of(desc), end: bytes.length }]
  for (let read = 1; ; read++) {
    while (reader.pos >= (open.at(-1)?.end ?? Number.POSITIVE_INFINITY)) open.pop()
    const inner = open.at(-1)
    if (!inner) return
    count.add(open.length)
    const [number, type] = reader.tag()
    const message = inner.fields.get(number)
    if (message && type === WireType.LengthDelimited) {
      const length = reader.uint32()
      open.push({ fields: messageFields.of(message), end: reader.pos + length })
    } else reader.skip(type, number)
    if (read % fieldsPerPiece === 0) await pace()
  }
}
