export {
  type Draft,
  type Generation,
  generate,
  type InTurn,
  newDraft,
  toGeneration,
  tokensOf,
} from './generation.ts'
