/* Chats and their settings: a draft that is edited, and a published copy that answers use. */

export { chatRoutes } from './routes.ts'
export { chatSettingsRoutes } from './routes-settings.ts'
export { ChatService, type ConfiguredChat } from './service.ts'
export { createChatStore } from './store.ts'
export { createChatDeletionStore, startDeletion } from './store-deletion.ts'
export { vectorJob, vectorQueue } from './store-embedding.ts'
export { chatInsert, documentsChangedAt, lockChat, raiseIndexVersion } from './store-rows.ts'
