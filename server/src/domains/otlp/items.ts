import { encodeJson } from '../../lib/json/encode.ts'
import { createPacer } from '../../lib/turns.ts'
import type { InboxItem } from './store.ts'
import type { SpansOfTrace, StoredPart } from './stored-part.ts'

/** Maximum bytes of an item, because the spans of a trace are read item by item. One larger part is an item alone. */
const itemBytes = 256 * 1024
/** Items of a trace are written anew when repeated spans make them larger than this. */
const maxWaste = { factor: 2, bytes: 1024 * 1024 }

/** The JSON of each part. */
export async function encodeParts(parts: readonly StoredPart[]): Promise<Buffer[]> {
  const pace = createPacer()
  const encoded: Buffer[] = []
  for (const part of parts) {
    encoded.push(await encodeJson(part))
    await pace()
  }
  return encoded
}

interface Place {
  projectId: string
  traceId: string
  /** Ids in the order of the items. */
  newItemId: () => string
}

/** Combines encoded parts of a trace to items. */
export function toItems({ projectId, traceId, newItemId }: Place, parts: readonly Buffer[]): InboxItem[] {
  const groups: Buffer[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const part of parts) {
    if (bytes + part.length > itemBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(part)
    bytes += part.length
  }
  return groups.map((group) => ({
    projectId,
    traceId,
    itemId: newItemId(),
    spanCount: group.length,
    bytes: listOf(group),
  }))
}

/** The JSON list of encoded values. */
function listOf(values: readonly Buffer[]): Buffer {
  const pieces = values.flatMap((value, at) => [Buffer.from(at === 0 ? '[' : ','), value])
  return Buffer.concat([...pieces, Buffer.from(']')])
}

/** Whether repeated spans take most of the bytes. */
export function isWasteful({ bytes, storedBytes }: SpansOfTrace): boolean {
  return storedBytes > maxWaste.factor * bytes + maxWaste.bytes
}

/** The items with only the latest version of each span. They sort after the items before, and before later ones. */
export async function rewrite(projectId: string, spans: SpansOfTrace): Promise<InboxItem[]> {
  const last = spans.itemIds.toSorted().at(-1)
  let number = 0
  const newItemId = () => `${last}.${String(number++).padStart(6, '0')}`
  return toItems({ projectId, traceId: spans.traceId, newItemId }, await encodeParts(spans.parts))
}
