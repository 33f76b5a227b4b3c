export { toTrace } from './trace.ts'
