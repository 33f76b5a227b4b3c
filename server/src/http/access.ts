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
  | { credential: 'admin-or-chat-key'; chat: ChatSource }
  /** The ID token of an application's end user; `window` is the limit that the route counts against. */
  | { credential: 'user'; window: UserWindow | undefined }

/** Limits of requests per user and minute. */
export type UserWindow = 'query' | 'upload' | 'bulk'
export type UserLimits = Readonly<Record<UserWindow, number>>

/** What leads to a chat: its own id, or that of something it holds. */
export type ChatResource = 'chat' | 'file' | 'node' | 'relationship'

/** How a request says which chat it is about. */
export type ChatSource =
  /** By the path parameter `<of>_id`. */
  | { place: 'path'; of: ChatResource }
  /** By fields of the body; all that are given must lead to one chat of the key. */
  | { place: 'body'; of: ChatResource; fields: readonly string[] }
  /** It is about none: any chat's key will do. */
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

export function chatKey(permission: Permission): Access {
  return { credential: 'chat-key', permission }
}

/** An application's end user. */
export function user(window?: UserWindow): Access {
  return { credential: 'user', window }
}

/** Who an ID token turned out to be of. */
export interface UserPrincipal {
  appId: string
  projectId: string
  userId: string
  /** The private sub-chat. */
  chatId: string
  parentChatId: string
  /** The subject of the token. */
  externalUserId: string
  issuer: string
  /** Whether this very call has made the sub-chat. */
  isNew: boolean
}

/** What a key turned out to be. */
export interface Principal {
  keyId: string
  projectId: string
  chatId: string | null
  permissions: ReadonlySet<Permission>
}
