import { deserialize, serialize } from 'node:v8'

/** Values that a thread takes out of another one's bytes as they were put in: text, numbers, bytes, null. */
export type PackedRows = Uint8Array<ArrayBuffer>

/**
 * Rows as bytes that can be handed from thread to thread, until one unpacks them: those in between need neither time
 * nor a heap for them.
 */
export function packRows(rows: readonly (readonly unknown[])[]): PackedRows {
  // A copy of the right size: the serializer's own buffer is larger.
  return new Uint8Array(serialize(rows))
}

export function unpackRows(packed: PackedRows): unknown[][] {
  return deserialize(packed) as unknown[][]
}
