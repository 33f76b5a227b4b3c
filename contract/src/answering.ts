import { type Static, Type } from 'typebox'
import { AnswerErrorEvent, absent, body } from './common.ts'
import { ScopeValues } from './documents.ts'
import { limits } from './limits.ts'

export const QueryRequest = body({
  question: Type.String({ minLength: 1, maxLength: limits.questionLength, pattern: '\\S' }),
  selected_model: absent(Type.String({ minLength: 1 })),
  model: absent(Type.String({ minLength: 1, description: 'alias of selected_model' })),
  temperature: absent(Type.Number({ minimum: 0, maximum: 2 })),
  max_tokens: absent(Type.Integer({ minimum: 1 })),
  custom_prompt: absent(Type.String()),
  scope_filters: absent(ScopeValues),
  session_id: absent(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'questions with the same id are one conversation',
    }),
  ),
})
export type QueryRequest = Static<typeof QueryRequest>

export const ContextEntry = Type.Object({
  chunk_id: Type.String(),
  chunk_text: Type.String(),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  filename: Type.String(),
  file_id: Type.String(),
})
export type ContextEntry = Static<typeof ContextEntry>

export const SearchRequest = body({
  query: QueryRequest.properties.question,
  limit: absent(
    Type.Integer({
      minimum: 1,
      maximum: limits.searchResults,
      description: `maximum number of results; default ${limits.contextChunks}`,
    }),
  ),
  scope_filters: QueryRequest.properties.scope_filters,
})
export type SearchRequest = Static<typeof SearchRequest>

export const SearchResponse = Type.Object({
  chat_id: Type.String(),
  results: Type.Array(ContextEntry, { description: 'best first' }),
  scope_filters_applied: Type.Optional(ScopeValues),
})
export type SearchResponse = Static<typeof SearchResponse>

export const Citation = Type.Object({
  snippet: Type.String(),
  score: Type.Number(),
  source: Type.String(),
  file_id: Type.String(),
  chunk_id: Type.String(),
})
export type Citation = Static<typeof Citation>

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  credits: Type.Number({ description: 'total_tokens / 1000 × the multiplier of the model' }),
})
export type Usage = Static<typeof Usage>

export const AnswerId = Type.String({ description: 'id of the answer and of its trace, for a rating' })

export const QueryResponse = Type.Object({
  answer: Type.String({ description: 'with citations [^N]; N is an index into context, starting at 0' }),
  context: Type.Array(ContextEntry),
  citations: Type.Array(Citation),
  chat_id: Type.String(),
  model: Type.String({ description: 'the model that answered' }),
  usage: Usage,
  scope_filters_applied: Type.Optional(ScopeValues),
  answer_id: AnswerId,
})
export type QueryResponse = Static<typeof QueryResponse>

/** The data of the last event of an answer. */
export const AnswerEnd = Type.Object({ usage: Usage, model: Type.String(), answer_id: AnswerId })

/** One server-sent event of an answer: the JSON after `data:`. */
export const AnswerEvent = Type.Union([
  Type.Object({ type: Type.Literal('context'), data: Type.Array(ContextEntry) }),
  Type.Object({ type: Type.Literal('content'), data: Type.String() }),
  Type.Object({ type: Type.Literal('end'), data: AnswerEnd }),
  AnswerErrorEvent,
])
export type AnswerEvent = Static<typeof AnswerEvent>
