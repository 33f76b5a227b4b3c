export { chatRoutes } from './routes.ts'
export { chatSettingsRoutes } from './routes-settings.ts'
export { ChatService, type PublishedChat } from './service.ts'
export { createChatStore } from './store.ts'
