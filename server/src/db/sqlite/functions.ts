import type { DatabaseSync } from 'node:sqlite'
import { bodyContains } from '../../lib/body-search.ts'
import { mergeSketches, type Sketch } from '../../lib/sketch.ts'

function toSketch(blob: Uint8Array): Sketch {
  // A copy, since a view of integers needs their alignment.
  return new Int32Array(new Uint8Array(blob).buffer)
}

/** Functions that PostgreSQL has by itself or by a migration. */
export function registerFunctions(db: DatabaseSync): void {
  db.function(
    'sketch_merge',
    { deterministic: true },
    (a, b) => new Uint8Array(mergeSketches(toSketch(a as Uint8Array), toSketch(b as Uint8Array)).buffer),
  )
  db.function('body_contains', { deterministic: true }, (body, needle) =>
    bodyContains(body as Uint8Array, String(needle)) ? 1 : 0,
  )
}
