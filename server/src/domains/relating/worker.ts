import { relateLocally } from './local.ts'
import type { Passage, Relation } from './types.ts'

/** Work for a child process, since a stranger wrote the document. */
export function relateInChild({ passages }: { passages: readonly Passage[] }): Relation[] {
  return relateLocally(passages)
}
