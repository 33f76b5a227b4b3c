import type { PassagePair } from './prompt.ts'
import { type Relation, relationTypes } from './types.ts'

/**
 * Reads the relations in a model's reply. Pairs that were not requested are dropped, and of a repeated pair the first
 * relation is used. Returns undefined for an invalid reply: a wrong shape, or a list of only invalid entries.
 */
export function readReply(value: unknown, pairs: readonly PassagePair[]): Relation[] | undefined {
  const list = (value as { relationships?: unknown } | null)?.relationships
  if (!Array.isArray(list)) return undefined
  const open = new Set(pairs.map(({ earlier, later }) => keyOf(earlier, later)))
  const good: Relation[] = []
  for (const entry of list) {
    const relation = relationIn(entry)
    if (relation && open.delete(keyOf(relation.source, relation.target))) good.push(relation)
  }
  return list.length > 0 && good.length === 0 ? undefined : good
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`
}

function relationIn(entry: unknown): Relation | undefined {
  const { source, target, type, confidence } = (entry ?? {}) as Partial<Record<keyof Relation, unknown>>
  const known = relationTypes.find((name) => name === type)
  if (!known || !Number.isInteger(source) || !Number.isInteger(target)) return undefined
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return undefined
  return { source: source as number, target: target as number, type: known, confidence }
}
