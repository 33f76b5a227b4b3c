import type { Permission } from '@cairn/contract'

/**
 * Who may call a route. Every route names one in `config.access`; the server refuses to start with a route
 * that does not.
 */
export type Access =
  | { credential: 'none' }
  | { credential: 'admin' }
  | { credential: 'project-key'; permission: Permission }
  | { credential: 'chat-key'; permission: Permission }
  /** The admin token, or a key of the chat with the `admin` permission. */
  | { credential: 'admin-or-chat-key' }

export const anyone: Access = { credential: 'none' }
export const administrator: Access = { credential: 'admin' }
export const administratorOrChatKey: Access = { credential: 'admin-or-chat-key' }

export function projectKey(permission: Permission): Access {
  return { credential: 'project-key', permission }
}

export function chatKey(permission: Permission): Access {
  return { credential: 'chat-key', permission }
}

/** What a key turned out to be. */
export interface Principal {
  keyId: string
  projectId: string
  chatId: string | null
  permissions: ReadonlySet<Permission>
}
