import { encodeJson } from '../../lib/json/encode.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import type { NewTrace } from './facts.ts'
import { labelsOf, tagsOf } from './labels.ts'
import { decodeInTurns } from './record.ts'

/** Tags to add and to remove. A tag in both lists is added. */
export interface TagChange {
  add: readonly string[]
  remove: readonly string[]
}

/** The changed tags; undefined if they stay the same. */
export function changedTags(tags: readonly string[], { add, remove }: TagChange): string[] | undefined {
  const removed = new Set(remove)
  const changed = [...new Set([...tags.filter((tag) => !removed.has(tag)), ...add])]
  const isSame = changed.length === tags.length && tags.every((tag) => changed.includes(tag))
  return isSame ? undefined : changed
}

/**
 * All changes of a trace's tags after it was received, with one more: from `before` to `after`. A trace of spans gets them
 * again when late spans arrive.
 */
export function mergeEdits(
  edits: TagChange | undefined,
  before: readonly string[],
  after: readonly string[],
): TagChange {
  const added = after.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !after.includes(tag))
  const [addedBefore, removedBefore] = [edits?.add ?? [], edits?.remove ?? []]
  return {
    add: [...addedBefore.filter((tag) => !removed.includes(tag)), ...added],
    // A tag that was only added later is gone without an entry, so that the list is bounded by the received tags.
    remove: [
      ...removedBefore.filter((tag) => !added.includes(tag)),
      ...removed.filter((tag) => !addedBefore.includes(tag)),
    ],
  }
}

export function parseEdits(json: string | null): TagChange | undefined {
  return json === null ? undefined : (parseStoredJson(json) as TagChange)
}

/** A trace with the stored changes of its tags. */
export async function withTagEdits<T extends NewTrace>(trace: T, edits: TagChange | undefined): Promise<T> {
  if (!edits) return trace
  const record = await decodeInTurns(trace.body)
  const tags = changedTags(record.tags, edits)
  if (!tags) return trace
  const edited = { ...record, tags }
  const facts = { ...trace.facts, tags: tagsOf(edited) }
  return { ...trace, facts, labels: labelsOf(edited, facts.tags), body: await encodeJson(edited) }
}
