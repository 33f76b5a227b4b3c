/** Functions of this domain that only benchmarks use. */
export { type NewTrace, toNewTrace } from './facts.ts'
export { toRecord } from './record.ts'
export { createTraceStore } from './store.ts'
