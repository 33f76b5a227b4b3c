import { indexable } from '../../lib/indexable.ts'
import type { TraceRecord } from './record.ts'

/** A name and a value that traces can be filtered and grouped by. */
export interface Label {
  name: string
  value: string
}

/** Maximum number and depth of attributes that become labels. Other attributes are stored, but filters do not find them. */
const maxAttributes = 200
const maxDepth = 10

export const tagLabel = 'tag'
export const nameLabel = 'name'

/** The name of the label of a custom attribute. A nested attribute has its path, joined by dots. */
export function attributeLabel(path: string): string {
  return indexable(`attr.${path}`)
}

export function tagsOf(record: TraceRecord): string[] {
  return [...new Set(record.tags.map(indexable))]
}

/** The texts, numbers and booleans of an object and its nested objects, without lists. */
function* attributesOf(object: Record<string, unknown>, prefix = '', depth = 1): Generator<Label> {
  // `for … in` instead of `Object.entries`, because callers read only the first of possibly thousands of entries.
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

/** The labels of the tags, the name and the attributes of a trace, without duplicates. */
export function labelsOf(record: TraceRecord, tags: readonly string[] = tagsOf(record)): Label[] {
  const labels = tags.map((value): Label => ({ name: tagLabel, value }))
  if (record.name !== undefined) labels.push({ name: nameLabel, value: indexable(record.name) })
  const seen = new Set<string>()
  for (const label of attributesOf(record.custom_attributes)) {
    if (seen.size === maxAttributes) break
    // The key "a.b" has the same path as the nested key b in a.
    const id = JSON.stringify([label.name, label.value])
    if (seen.has(id)) continue
    seen.add(id)
    labels.push(label)
  }
  return labels
}
