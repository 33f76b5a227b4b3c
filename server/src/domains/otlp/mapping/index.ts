export { toTrace } from './to-trace.ts'
