/*
 * Answers with citations, whole or streamed, and search without an answer.
 *
 * - `prepare.ts` (`PreparationService`) checks a question and finds its context; `service.ts` (`AnsweringService`) answers it,
 *   and records the answer; `search.ts` (`SearchService`) returns search results only.
 * - `question/` parses a question once per language. `extractive/` answers without a model. `generation/` makes an answer
 *   with or without a model. `citations/` checks the citation markers.
 * - `reranking/` lets a model rank the passages of a search, if the chat's settings choose one.
 *
 * A model receives the context as numbered data, the last turns of the session, and the question. A turn is stored with its
 * scope filters. It is used only for questions whose filters include all of them. A question that leans on the
 * conversation is rewritten by the model for the search (`rewriter.ts`); without a model, or if this fails, it is completed
 * from the turns (`question/follow-up.ts`). The citation guard holds back text that may be part of a marker, and removes
 * numbers outside of the context. A client disconnect or a server shutdown aborts the call. However an answer ends, it is a
 * trace with the spans `retrieve` and `generate`, on disk before the last byte is sent; afterwards the turn of the session
 * is written.
 */

export { nothingFound } from './extractive/index.ts'
export { PreparationService } from './prepare.ts'
export { Rankers } from './rankers.ts'
export { Reranking } from './reranking/index.ts'
export { QuestionRewriter } from './rewriter.ts'
export { answeringRoutes } from './routes.ts'
export { internalAnsweringRoutes } from './routes-internal.ts'
export { userAnsweringRoutes } from './routes-me.ts'
export { SearchService } from './search.ts'
export { AnsweringService } from './service.ts'
export { createTurnStore, turnDeletion } from './store.ts'
export { UserAnswers } from './user-answers.ts'
