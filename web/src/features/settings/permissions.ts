import type { Permission } from '@cairn/sdk'

/** What a key of a project may do, in a sentence each. */
export const permissionMeanings: Record<Permission, string> = {
  ingest: 'Send traces, spans and scores. Enough for an application in production.',
  read: 'Read traces, analytics, scores, suites, runs, versions, events and usage.',
  write:
    'Change what there is: suites and runs, versions, judges and rules, and delete single traces and scores.',
  query: 'Ask questions. Only keys of chats need it; a key of a project has nothing to ask.',
  admin: 'Delete all traces that meet a filter. It holds none of the others.',
}

export const permissionNames = Object.keys(permissionMeanings) as Permission[]
/** What an application needs that sends traces and reads its numbers. */
export const usualPermissions: readonly Permission[] = ['ingest', 'read', 'write']
