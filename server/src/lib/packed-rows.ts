import { deserialize, serialize } from 'node:v8'

/** Rows in serialized form. Values are text, numbers, bytes or null. */
export type PackedRows = Uint8Array<ArrayBuffer>

/**
 * Serializes rows, so that threads can pass them on as bytes. Threads in between need neither processor time nor heap for
 * them.
 */
export function packRows(rows: readonly (readonly unknown[])[]): PackedRows {
  // Copied to the exact size, because the serializer's own buffer is larger.
  return new Uint8Array(serialize(rows))
}

export function unpackRows(packed: PackedRows): unknown[][] {
  return deserialize(packed) as unknown[][]
}
