import type { RelationshipType } from '@cairn/sdk'
import { listOf, oneOf, textOf } from '../../shared/search-params.ts'
import { relationshipTypes } from './palette.ts'

/** What of the graph is seen, as it stands in the address. */
export interface GraphSearch {
  chat?: string | undefined
  view?: 'list' | undefined
  /** In the list: relationships in the place of nodes. */
  rows?: 'relationships' | undefined
  q?: string | undefined
  /** Types of relationships that are not shown. */
  hide?: RelationshipType[] | undefined
  /** Least confidence, 0 to 1. */
  min?: number | undefined
  node?: string | undefined
  relationship?: string | undefined
  /** Steps around the node that stay lit; 1 when left out. */
  reach?: number | undefined
  /** How many nodes are drawn, where not all are. */
  show?: number | undefined
}

function numberOf(value: unknown, least: number, most: number): number | undefined {
  const number = Number(textOf(value) ?? Number.NaN)
  return number >= least && number <= most ? number : undefined
}

export function graphSearch(search: Record<string, unknown>): GraphSearch {
  const hidden = listOf(search.hide)
  return {
    chat: textOf(search.chat),
    view: oneOf(['list'], search.view),
    rows: oneOf(['relationships'], search.rows),
    q: textOf(search.q),
    hide: relationshipTypes.filter((type) => hidden.includes(type)),
    min: numberOf(search.min, 0, 1),
    node: textOf(search.node),
    relationship: textOf(search.relationship),
    reach: numberOf(search.reach, 1, 3),
    show: numberOf(search.show, 1, 1_000_000),
  }
}
