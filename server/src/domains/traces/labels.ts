import { indexable } from '../../lib/indexable.ts'
import type { TraceRecord } from './record.ts'

/** A pair by which traces can be found and grouped. */
export interface Label {
  name: string
  value: string
}

/** Attributes of a trace that can be filtered by; those behind and below are kept and shown, and not found. */
const maxAttributes = 200
const maxDepth = 10

export const tagLabel = 'tag'

/** The name under which a custom attribute is found; a nested one has its path, with dots. */
export function attributeLabel(path: string): string {
  return indexable(`attr.${path}`)
}

export function tagsOf(record: TraceRecord): string[] {
  return [...new Set(record.tags.map(indexable))]
}

/** Texts, numbers and booleans of an object, also of objects in it; lists are not looked into. */
function* attributesOf(object: Record<string, unknown>, prefix = '', depth = 1): Generator<Label> {
  // Without a list of all entries first: an object may have thousands, of which few are wanted.
  for (const key in object) {
    const value = object[key]
    const path = prefix + key
    if (typeof value === 'object') {
      if (value !== null && !Array.isArray(value) && depth < maxDepth) {
        yield* attributesOf(value as Record<string, unknown>, `${path}.`, depth + 1)
      }
    } else {
      yield { name: attributeLabel(path), value: indexable(String(value)) }
    }
  }
}

/** Tags and attributes of a trace, each pair once. */
export function labelsOf(record: TraceRecord, tags: readonly string[] = tagsOf(record)): Label[] {
  const labels = tags.map((value): Label => ({ name: tagLabel, value }))
  const seen = new Set<string>()
  for (const label of attributesOf(record.custom_attributes)) {
    if (seen.size === maxAttributes) break
    // A key with a dot in it may meet a nested one.
    const id = JSON.stringify([label.name, label.value])
    if (seen.has(id)) continue
    seen.add(id)
    labels.push(label)
  }
  return labels
}
