export { chatRoutes } from './routes.ts'
export { ChatService } from './service.ts'
export { createChatStore } from './store.ts'
