/* Scores of traces. */

export { scoreRoutes } from './routes.ts'
export { type ScoreOrigin, ScoreService, toScoreRow, toStoredScore } from './service.ts'
export {
  createScoreStore,
  deleteFeedback,
  deleteFeedbackComments,
  replaceFeedback,
  type ScoreRow,
  scoreDeletion,
  scoreInsert,
} from './store.ts'
