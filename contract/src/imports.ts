import { type Static, Type } from 'typebox'
import { absent, body } from './common.ts'
import { CreateScore } from './scores.ts'
import { CreateTrace } from './traces.ts'

const ImportedScore = body({ ...CreateScore.properties, created_at: absent(Type.String()) })
export type ImportedScore = Static<typeof ImportedScore>

/**
 * A line of an import file: a trace as in a create request or an export. The import creates new trace and score ids. Imported
 * scores get the source `human`; their cost and scorer are ignored.
 */
export const ImportedTrace = body({
  ...CreateTrace.properties,
  /** If `computed`, the import ignores the line's `cost` and computes it from the project's prices. */
  cost_source: absent(Type.Enum(['client', 'computed'])),
  scores: absent(Type.Array(ImportedScore)),
})
export type ImportedTrace = Static<typeof ImportedTrace>
