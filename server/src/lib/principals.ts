/** The owner and the permissions of a valid API key. */
export interface KeyPrincipal {
  keyId: string
  projectId: string
  /** Null for a key of a project. */
  chatId: string | null
  /** Permissions of the contract. */
  permissions: ReadonlySet<string>
}

/** The end user that an ID token identifies. */
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
  /** Whether this request has created the sub-chat. */
  isNew: boolean
}
