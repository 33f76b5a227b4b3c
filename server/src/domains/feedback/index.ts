/*
 * Ratings of answers by those who asked for them. A rating is the score `user_feedback` of the answer's trace: 1 or 0.
 *
 * The transaction of an answer writes the chat in which the question was asked: a chat of the project, or the private chat of
 * an end user. Only keys of this chat, or this user, may rate the answer; for all others, the answer does not exist. An answer
 * has one rating. A new one replaces it.
 *
 * The developer of an application sees the rating of a private answer, but its comment only if the user shares it. If the user
 * is deleted, so are their comments.
 */

export { feedbackRoutes, userFeedbackRoutes } from './routes.ts'
export { FeedbackService } from './service.ts'
export { answerChatInsert, createFeedbackStore, feedbackDeletion } from './store.ts'
