import { relateLocally } from './local.ts'
import type { Passage, Relation } from './types.ts'

/** Runs in a child process, because documents are untrusted. */
export function relateInChild({ passages }: { passages: readonly Passage[] }): Relation[] {
  return relateLocally(passages)
}
