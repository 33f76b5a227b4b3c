import { type Static, Type } from 'typebox'
import { absent, body } from './common.ts'
import { CreateScore } from './scores.ts'
import { CreateTrace } from './traces.ts'

const ImportedScore = body({ ...CreateScore.properties, created_at: absent(Type.String()) })
export type ImportedScore = Static<typeof ImportedScore>

/** A line of an import file: a trace as in a request, or as in an export. */
export const ImportedTrace = body({
  ...CreateTrace.properties,
  /** The import computes a `computed` cost again. */
  cost_source: absent(Type.Enum(['client', 'computed'])),
  scores: absent(Type.Array(ImportedScore)),
})
export type ImportedTrace = Static<typeof ImportedTrace>
