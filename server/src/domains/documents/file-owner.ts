/** The end user who owns a file; the file is in their private chat. */
export interface FileOwner {
  appId: string
  userId: string
  /** The private sub-chat. */
  chatId: string
  parentChatId: string
}

/** Values that replace the id and name of an end user's file in the developer's events. */
export const hiddenFile = { file_id: null, filename: null }
