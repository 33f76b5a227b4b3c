/** The end user whose file it is; the file is in their private chat. */
export interface FileOwner {
  appId: string
  userId: string
  /** The private sub-chat. */
  chatId: string
  parentChatId: string
}

/** What the developer reads in the events of a file that belongs to an end user. */
export const hiddenFile = { file_id: null, filename: null }
