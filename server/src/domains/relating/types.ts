import type { RelationshipType } from '@cairn/contract'

/**
 * How one passage (the source) relates to another (the target) of the same document:
 *
 * - INTRODUCES: the source opens or outlines what the target then treats in detail.
 * - CONCLUDES: the source sums up, or draws the conclusion of, what the target has said.
 * - EXPLAINS: the source gives the reason, the mechanism or the definition behind what the target states.
 * - SUPPORTS: the source gives evidence for what the target claims: an example, a number, a finding, a case.
 * - ELABORATES: the source goes on about the subject of the target and adds detail to it.
 */
export const relationTypes = ['INTRODUCES', 'CONCLUDES', 'EXPLAINS', 'SUPPORTS', 'ELABORATES'] as const
export type RelationType = (typeof relationTypes)[number] & RelationshipType

/** What of a chunk is read. */
export interface Passage {
  text: string
  /** Titles of the headings above its start, outermost first. */
  headingPath: readonly string[]
}

/** A relation between two passages of a document, named by their places in it. */
export interface Relation {
  source: number
  target: number
  type: RelationType
  /** 0..1: how likely it is that the two are related, and in this way. */
  confidence: number
}

/** A relation, and what made it. */
export type MadeRelation = Relation & ({ method: 'local' } | { method: 'model'; model: string })
