import type { Permission } from '@cairn/sdk'

/** What each permission lets a key do, in a sentence. */
export type Meanings = Partial<Record<Permission, string>>

/** Of a key of a project. */
export const projectMeanings = {
  ingest: 'Send traces, spans and scores. Enough for an application in production.',
  read: 'Read traces, analytics, scores, suites, runs, versions, events and usage.',
  write:
    'Change what there is: suites and runs, versions, judges and rules, and delete single traces and scores.',
  query: 'Ask questions. Only keys of chats need it; a key of a project has nothing to ask.',
  admin: 'Delete all traces that meet a filter. It holds none of the others.',
} as const satisfies Meanings

/** Of a key of a chat. */
export const chatMeanings = {
  query: 'Ask questions.',
  read: 'Read settings, files and search.',
  write: 'Upload and delete files, change settings and scopes.',
  admin: 'Graph and internal endpoints.',
} as const satisfies Meanings
