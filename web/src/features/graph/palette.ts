import type { RelationshipType } from '@cairn/sdk'

/** CSS variables of relationship types: greys for HAS_CHUNK and NEXT, colours for relationships between chunks. */
export const typeColours: Record<RelationshipType, string> = {
  HAS_CHUNK: '--line-strong',
  NEXT: '--fg-3',
  EXPLAINS: '--series-2',
  SUPPORTS: '--series-7',
  ELABORATES: '--series-5',
  INTRODUCES: '--series-4',
  CONCLUDES: '--series-3',
}

/** All relationship types. Importing the list of the contract would load its schemas too. */
export const relationshipTypes = Object.keys(typeColours) as RelationshipType[]

export type ReadColour = (variable: string) => string

/** Mixes two colours into `rgb()`; `share` is the share of the first. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)]
  return `rgb(${a.map((value, i) => Math.round(value * share + (b[i] ?? 0) * (1 - share))).join(', ')})`
}

function channels(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
}
