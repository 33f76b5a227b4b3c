import type { ChatSettings, QueryRequest, ScopeValues } from '@cairn/contract'
import type { Payer } from '../usage/index.ts'
import type { Places } from './context.ts'
import type { Generation } from './generation/index.ts'
import type { CompletedQuestion } from './question/index.ts'
import type { RankingReport } from './reranking/index.ts'
import type { Rewrite } from './rewriter.ts'

/** The search for the context of an answer. */
export interface AnswerSearch {
  query: string
  /** The question, completed from the conversation if it leans on it. */
  completed: CompletedQuestion
  /** The maximum number of chunks. */
  limit: number
  /** The documents that the settings allow: all, or this number. */
  files: 'all' | number
  settings: ChatSettings
  places: Places
}

/** A validated question with its context. */
export interface PreparedAnswer {
  chatId: string
  payer: Payer
  /** The chat whose keys, or whose end user, may rate the answer. */
  askedIn: string
  request: QueryRequest
  scopeFilters: ScopeValues | undefined
  generation: Generation
  /** The call that rewrote the question for the search, if it depends on the conversation. */
  rewrite: Rewrite | undefined
  /** The search and the settings, for the trace; undefined if an end user asks. */
  search?: AnswerSearch
  /** The ranking of the context by a model, if the settings choose one. */
  ranking: RankingReport | undefined
  /**
   * Set if an end user asks; the question is then private. `sharedChunks` are the chunks of the parent chat whose
   * sources are hidden from the user.
   */
  privateAnswer?: { sharedChunks: ReadonlySet<string> }
  /** The session to store the turn in; undefined if the turn is not stored. */
  sessionKey: string | undefined
  startedMs: number
  retrievedMs: number
}
