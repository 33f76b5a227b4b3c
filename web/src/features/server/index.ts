export { ServerState } from './server-state.tsx'
