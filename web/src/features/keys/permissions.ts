import type { Permission } from '@cairn/sdk'

/** Descriptions of permissions. */
export type Meanings = Partial<Record<Permission, string>>

/** The permissions of a project's key. */
export const projectMeanings = {
  ingest: 'Send traces, spans and scores. Enough for an application in production.',
  read: 'Read traces, analytics, scores, suites, runs, versions, events and usage.',
  write: 'Change suites, runs, versions, scorers and rules; delete single traces and scores.',
  query: 'Ask questions. Only keys of chats need it; a project answers no questions.',
  admin: 'Delete all traces that match a filter. It includes no other permission.',
} as const satisfies Meanings

/** The permissions of a chat's key. */
export const chatMeanings = {
  query: 'Ask questions.',
  read: 'Read settings, files and search.',
  write: 'Upload and delete files, change settings and scopes.',
  admin: 'Graph and internal endpoints.',
} as const satisfies Meanings
