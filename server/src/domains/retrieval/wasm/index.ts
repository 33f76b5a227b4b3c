export { leastScore, RowMemory } from './row-functions.ts'
export { type Column, scratch } from './scratch.ts'
