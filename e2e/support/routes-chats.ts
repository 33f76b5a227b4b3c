import type { Route } from './route.ts'
import { question, scope, settings, wrongFilters, wrongQuestions, wrongSettings } from './route-samples.ts'

const reads = { credential: 'chat-key', permission: 'read', status: 200 } as const
const writes = { credential: 'chat-key', permission: 'write', status: 200 } as const
const queries = { credential: 'chat-key', permission: 'query', status: 200 } as const

/** Routes for keys of a chat: settings, scopes, files and questions. */
export const chatRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/{chat_id}/info', ...reads },
  { method: 'GET', path: '/v1/{chat_id}/settings', ...reads },
  {
    method: 'POST',
    path: '/v1/{chat_id}/settings',
    ...writes,
    body: settings,
    alsoTakes: { context_files: ['string'] },
    wrong: wrongSettings,
  },
  { method: 'POST', path: '/v1/{chat_id}/upload_with_scopes', ...writes, form: 'note' },
  {
    method: 'POST',
    path: '/v1/{chat_id}/scopes/configure',
    ...writes,
    body: { scopes: [scope] },
    required: ['scopes', 'scopes[0].name'],
    wrong: {
      scopes: [[scope, scope], Array.from({ length: 21 }, (_, i) => ({ name: `s${i}` }))],
      'scopes[0]': [null],
      'scopes[0].name': ['', 'a b', '1st', '_x', 'ä', 'x'.repeat(65), 'id', 'filename', '__proto__'],
      'scopes[0].type': ['', 'String', 'object'],
      'scopes[0].description': ['x'.repeat(10_001)],
    },
  },
  { method: 'GET', path: '/v1/{chat_id}/scopes', ...reads },
  { method: 'DELETE', path: '/v1/{chat_id}/scopes', ...writes },
  { method: 'GET', path: '/v1/{chat_id}/files', ...reads },
  { method: 'GET', path: '/v1/{chat_id}/files/{file_id}/status', ...reads },
  { method: 'GET', path: '/v1/{chat_id}/files/{file_id}/chunks', ...reads },
  { method: 'DELETE', path: '/v1/{chat_id}/files/{file_id}', ...writes, destroys: true },
  { method: 'POST', path: '/v1/{chat_id}/answer_question', ...queries, needsPublished: true, ...question },
  {
    method: 'POST',
    path: '/v1/{chat_id}/answer_question_stream',
    ...queries,
    needsPublished: true,
    ...question,
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/search',
    ...reads,
    needsPublished: true,
    body: { query: 'What is up?', limit: 8, scope_filters: { team: 'a' } },
    required: ['query'],
    free: ['scope_filters'],
    named: { scope_filters: 'scope' },
    wrong: { query: wrongQuestions, limit: [0, -1, 101, 1.5], scope_filters: wrongFilters },
  },
  {
    method: 'POST',
    path: '/v1/{chat_id}/feedback',
    ...queries,
    body: { answer_id: '{answer_id}', rating: 'up', comment: 'Just so.' },
    required: ['answer_id', 'rating'],
    wrong: {
      answer_id: ['', 'x'.repeat(201), 'a\u0000b'],
      rating: ['', 'Up', 'like'],
      comment: ['x'.repeat(10_001)],
    },
  },
]
