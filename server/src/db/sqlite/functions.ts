import type { DatabaseSync } from 'node:sqlite'
import { bodyContains } from '../../lib/body-search.ts'
import { mergeSketches, sketchOf } from '../../lib/sketch.ts'

/** Functions that PostgreSQL has, built in or from a migration. `checkTime` throws if a statement must end. */
export function registerFunctions(db: DatabaseSync, checkTime = () => {}): void {
  db.function(
    'sketch_merge',
    { deterministic: true },
    (a, b) => new Uint8Array(mergeSketches(sketchOf(a as Uint8Array), sketchOf(b as Uint8Array)).buffer),
  )
  db.function('body_contains', { deterministic: true }, (body, needle) => {
    checkTime()
    return bodyContains(body as Uint8Array, String(needle)) ? 1 : 0
  })
}
