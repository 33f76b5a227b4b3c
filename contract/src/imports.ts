import { type Static, Type } from 'typebox'
import { absent, body } from './common.ts'
import { CreateScore } from './scores.ts'
import { CreateTrace } from './traces.ts'

const ImportedScore = body({ ...CreateScore.properties, created_at: absent(Type.String()) })
export type ImportedScore = Static<typeof ImportedScore>

/** A line of a file that is imported: a trace as it is recorded, or as the export writes it. */
export const ImportedTrace = body({
  ...CreateTrace.properties,
  /** A computed cost is computed again. */
  cost_source: absent(Type.Enum(['client', 'computed'])),
  scores: absent(Type.Array(ImportedScore)),
})
export type ImportedTrace = Static<typeof ImportedTrace>
