import type { RelationshipType } from '@cairn/sdk'

/** CSS variables of relationship types: what holds a document together is quiet, what chunks say to one another is not. */
export const typeColours: Record<RelationshipType, string> = {
  HAS_CHUNK: '--line-strong',
  NEXT: '--fg-3',
  EXPLAINS: '--series-2',
  SUPPORTS: '--series-7',
  ELABORATES: '--series-5',
  INTRODUCES: '--series-4',
  CONCLUDES: '--series-3',
}

/** All of them, in this order. The contract has the same list, but with all its schemas, which no page needs. */
export const relationshipTypes = Object.keys(typeColours) as RelationshipType[]

export type ReadColour = (variable: string) => string

/** A mixture of two colours as `rgb()`; a `share` of 1 is all of the first. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)]
  return `rgb(${a.map((value, i) => Math.round(value * share + (b[i] ?? 0) * (1 - share))).join(', ')})`
}

function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
}
