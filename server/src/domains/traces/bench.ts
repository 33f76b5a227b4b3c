/** What benchmarks alone use of this domain. */
export { type NewTrace, toNewTrace } from './facts.ts'
export { toRecord } from './record.ts'
export { createTraceStore } from './store.ts'
