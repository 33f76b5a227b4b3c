import type { Route } from './route.ts'
import { question, wrongFilters } from './route-samples.ts'

const internal = { credential: 'admin-or-chat-key', permission: 'admin', status: 200 } as const

const wrongProperties: NonNullable<Route['wrong']> = {
  own: [{ a: 1 }, [{ a: 1 }], [[1]], 'x'.repeat(10_001), Array(101).fill(1)],
}

/** The routes for the admin token, or for a key of the chat with `admin`. */
export const internalRoutes: readonly Route[] = [
  { method: 'GET', path: '/graph_data/{chat_id}', ...internal },
  { method: 'GET', path: '/graph_status/{chat_id}', ...internal },
  {
    method: 'POST',
    path: '/create_nodes_and_embeddings',
    ...internal,
    chat: 'body',
    once: 'pdf_id',
    body: {
      pdf_text: 'The text of a file that somebody else has read.',
      pdf_id: 'a-document',
      chat_id: '{chat_id}',
      filename: 'report.pdf',
      scope_values: { team: 'a' },
    },
    required: ['pdf_text', 'pdf_id', 'chat_id', 'filename'],
    free: ['scope_values'],
    named: { scope_values: 'scope' },
    wrong: {
      pdf_text: ['', ' \n', 'x'.repeat(1_000_001)],
      pdf_id: ['', ' ', 'a b', 'a/b', 'ä', 'a\0b', '.', '..', 'x'.repeat(201)],
      filename: ['', ' '],
      scope_values: wrongFilters,
    },
  },
  { method: 'POST', path: '/extract-pdf-text', ...internal, chat: 'none', form: 'pdf' },
  {
    method: 'POST',
    path: '/answer_question',
    ...internal,
    chat: 'body',
    ...question,
    body: { chat_id: '{chat_id}', ...question.body },
    required: ['chat_id', ...(question.required ?? [])],
  },
  {
    method: 'POST',
    path: '/answer_question_stream',
    ...internal,
    chat: 'body',
    ...question,
    body: { chat_id: '{chat_id}', ...question.body },
    required: ['chat_id', ...(question.required ?? [])],
  },
  { method: 'DELETE', path: '/remove_context/{file_id}', ...internal, destroys: true },
  { method: 'GET', path: '/debug_chat_data/{chat_id}', ...internal },
  {
    method: 'DELETE',
    path: '/delete_chat_nodes/{chat_id}',
    ...internal,
    destroys: true,
    clears: true,
  },
  {
    method: 'POST',
    path: '/cleanup_chat_data/{chat_id}',
    ...internal,
    destroys: true,
    clears: true,
  },
  { method: 'GET', path: '/node_details/{node_id}', ...internal },
  {
    method: 'PUT',
    path: '/update_node/{node_id}',
    ...internal,
    body: { filename: 'another.txt', text: 'Another text of the chunk.' },
    wrong: { ...wrongProperties, filename: ['', ' '], text: ['', ' \n', 'x'.repeat(10_001)] },
  },
  { method: 'DELETE', path: '/delete_node/{node_id}', ...internal, destroys: true },
  {
    method: 'POST',
    path: '/create_relationship',
    ...internal,
    chat: 'body',
    body: {
      source_id: '{node_id}',
      target_id: '{other_node_id}',
      relationship_type: 'SUPPORTS',
      properties: { confidence: 0.5, ai_generated: false },
    },
    required: ['source_id', 'target_id', 'relationship_type'],
    wrong: {
      relationship_type: ['', 'HAS_CHUNK', 'NEXT', 'supports', 'LIKES'],
      'properties.confidence': [-0.01, 1.01],
      properties: [{ properties: {} }, { '': 1 }, { 'a\nb': 1 }],
    },
    named: { properties: 'propert' },
  },
  {
    method: 'PUT',
    path: '/update_relationship/{relationship_id}',
    ...internal,
    body: { confidence: 1, ai_generated: true },
    wrong: { ...wrongProperties, confidence: [-0.01, 1.01] },
  },
  {
    method: 'DELETE',
    path: '/delete_relationship/{relationship_id}',
    ...internal,
    destroys: true,
  },
]
