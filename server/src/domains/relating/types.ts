import type { RelationshipType } from '@cairn/contract'

/**
 * How one passage (the source) relates to another (the target) of the same document:
 *
 * - INTRODUCES: the source outlines a subject that the target then treats in detail.
 * - CONCLUDES: the source sums up the target, or draws a conclusion from it.
 * - EXPLAINS: the source gives the reason, the mechanism or the definition for a statement of the target.
 * - SUPPORTS: the source gives evidence for a claim of the target: an example, a number, a finding, a case.
 * - ELABORATES: the source continues the subject of the target and adds details.
 */
export const relationTypes = ['INTRODUCES', 'CONCLUDES', 'EXPLAINS', 'SUPPORTS', 'ELABORATES'] as const
export type RelationType = (typeof relationTypes)[number] & RelationshipType

/** The fields of a chunk that are needed to relate it. */
export interface Passage {
  text: string
  /** Titles of the headings above its start, outermost first. */
  headingPath: readonly string[]
}

/** A relation between two passages of a document, by their positions from 0. */
export interface Relation {
  source: number
  target: number
  type: RelationType
  /** Probability, 0..1, that the passages have a relation of this type. */
  confidence: number
}

/** A relation and the method that found it. */
export type SourcedRelation = Relation & ({ method: 'local' } | { method: 'model'; model: string })
