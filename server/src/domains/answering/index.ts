/*
 * Answers with citations, whole or streamed, and search without an answer.
 *
 * A model receives the context as numbered data, the last turns of the session, and the question. A turn is stored with its
 * scope filters. It is used only for questions whose filters include all of them. A question that depends on the
 * conversation is searched for together with the previous questions. The citation guard holds back text that may be part of
 * a marker, and removes numbers outside of the context. A client disconnect or a server shutdown aborts the call.
 * However an answer ends, it is a trace with the spans `retrieve` and `generate`, on disk before the last byte is sent;
 * afterwards the turn of the session is written.
 */

export { answerExtractively } from './extractive.ts'
export { OwnAnswers } from './own-answers.ts'
export { answeringRoutes } from './routes.ts'
export { internalAnsweringRoutes } from './routes-internal.ts'
export { ownAnsweringRoutes } from './routes-me.ts'
export { AnsweringService } from './service.ts'
export { createTurnStore } from './store.ts'
