export { chatRoutes } from './routes.ts'
export { ChatService, type PublishedChat } from './service.ts'
export { createChatStore } from './store.ts'
