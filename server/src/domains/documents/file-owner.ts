/** The end user whose file it is; the file is in their private chat. */
export interface FileOwner {
  appId: string
  userId: string
  /** The private sub-chat. */
  chatId: string
  parentChatId: string
}
