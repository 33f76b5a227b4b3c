import type { Permission } from '@cairn/contract'

/**
 * The credential that a route needs. Every route sets it in `config.access`; the server does not start if a route
 * lacks it.
 */
export type Access =
  | { credential: 'none' }
  | { credential: 'admin' }
  /** With `project: 'of-key'`, the path names no project: it is the project of the key, which exporters send in several ways. */
  | { credential: 'project-key'; permission: Permission; project?: 'of-key' }
  | { credential: 'chat-key'; permission: Permission }
  /** The admin token, or a key of the chat with the `admin` permission. */
  | { credential: 'admin-or-chat-key'; chat: ChatSource }
  /** The ID token of an application's end user. Requests of the route count against the limit `window`. */
  | { credential: 'user'; window: UserWindow | undefined }

/** Rate limits per user and minute. */
export type UserWindow = 'query' | 'upload' | 'bulk' | 'rating'
export type UserLimits = Readonly<Record<UserWindow, number>>

/** A resource that identifies a chat: the chat itself, or something in it. */
export type ChatResource = 'chat' | 'file' | 'node' | 'relationship'

/** Where a request names its chat. */
export type ChatSource =
  /** In the path parameter `<of>_id`. */
  | { place: 'path'; of: ChatResource }
  /** In fields of the body. All given ids must belong to one chat, the chat of the key. */
  | { place: 'body'; of: ChatResource; fields: readonly string[] }
  /** Nowhere: the key of any chat is accepted. */
  | { place: 'none' }

export const anyone: Access = { credential: 'none' }
export const administrator: Access = { credential: 'admin' }
export const administratorOrChatKey = administratorOrKeyOf({ place: 'path', of: 'chat' })

export function administratorOrKeyOf(chat: ChatSource): Access {
  return { credential: 'admin-or-chat-key', chat }
}

export function projectKey(permission: Permission): Access {
  return { credential: 'project-key', permission }
}

/** A key of any project. The project of the request is the project of the key. */
export function exporterKey(permission: Permission): Access {
  return { credential: 'project-key', permission, project: 'of-key' }
}

export function chatKey(permission: Permission): Access {
  return { credential: 'chat-key', permission }
}

/** An application's end user. */
export function user(window?: UserWindow): Access {
  return { credential: 'user', window }
}
