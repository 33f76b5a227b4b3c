export {
  type AnswerInProgress,
  beginAnswer,
  type FailedCall,
  type Generation,
  generate,
  type InTurn,
  toGeneration,
  tokensOf,
} from './generation.ts'
export { callForRewrite, maxRewriteTokens, rewriteRequest, rewrittenIn } from './rewrite.ts'
