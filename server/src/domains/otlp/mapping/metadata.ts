import { isObject } from '@cairn/contract/conversations'
import type { AttributeReader } from './reader.ts'
import { metadataSources, traceNames } from './table.ts'
import { parsedIfJson } from './values.ts'

/** Metadata by key, and the attribute that has nothing else. */
export type Metadata = ReadonlyMap<string, { value: unknown; name?: string }>

/** Metadata that fields show, and not the trace's metadata. */
const inFields: ReadonlySet<string> = new Set(Object.values(traceNames).flat())

/** The metadata of a span, and the attribute of each key. The first source with a key wins. */
export function readMetadata(reader: AttributeReader, isRoot: boolean): Metadata {
  const found = new Map<string, { value: unknown; name?: string }>()
  const add = (key: string, value: unknown, name?: string) => {
    if (!found.has(key)) found.set(key, { value, ...(name !== undefined && { name }) })
  }
  for (const [source, form] of metadataSources) {
    // The metadata of an observation is that of the trace only on the root.
    if (source === 'langfuse.observation.metadata' && !isRoot) continue
    const whole = parsedIfJson(reader.get(source))
    if (isObject(whole)) for (const [key, value] of Object.entries(whole)) add(key, value)
    if (form === 'value') continue
    for (const { name, rest, value } of reader.below(source)) {
      if (!inFields.has(name)) add(rest, parsedIfJson(value), name)
    }
  }
  return found
}
