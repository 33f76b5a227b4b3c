export { minPositiveScore, RowMemory } from './row-functions.ts'
export { type Column, Scratch } from './scratch.ts'
