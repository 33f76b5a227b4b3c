export {
  type AnswerInProgress,
  beginAnswer,
  type Generation,
  generate,
  type InTurn,
  toGeneration,
  tokensOf,
} from './generation.ts'
