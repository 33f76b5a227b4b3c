import type { RelationshipType } from '@cairn/sdk'
import { listOf, oneOf, textOf } from '../../shared/search-params.ts'
import { relationshipTypes } from './palette.ts'

/** The state of the graph screen in the address. */
export interface GraphSearch {
  chat?: string | undefined
  view?: 'list' | undefined
  /** Whether the list shows relationships instead of nodes. */
  rows?: 'relationships' | undefined
  q?: string | undefined
  /** Hidden relationship types. */
  hide?: RelationshipType[] | undefined
  /** Minimum confidence, 0 to 1. */
  min?: number | undefined
  node?: string | undefined
  relationship?: string | undefined
  /** Highlighted steps around the node; default 1. */
  reach?: number | undefined
  /** Number of drawn nodes, if not all are drawn. */
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
