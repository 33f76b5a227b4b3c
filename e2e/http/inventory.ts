/**
 * Every endpoint of the two contracts and of the decisions, and whether it is there. `done` means: served, in
 * the OpenAPI document, and called with success by the black-box suite; `npm test` checks all three.
 */
export type State = 'done' | 'to do'

function project(state: State, ...endpoints: string[]) {
  return endpoints.map((endpoint) => ({ endpoint: endpoint.replace(' ', ' /v1/{project_id}'), state }))
}

function chat(state: State, ...endpoints: string[]) {
  return endpoints.map((endpoint) => ({ endpoint: endpoint.replace(' ', ' /v1/{chat_id}'), state }))
}

function plain(state: State, ...endpoints: string[]) {
  return endpoints.map((endpoint) => ({ endpoint, state }))
}

export const inventory: readonly { endpoint: string; state: State }[] = [
  // project-api.md, section 4
  ...project(
    'done',
    'POST /traces',
    'GET /analytics/traces',
    'GET /analytics/traces/{trace_id}',
    'POST /traces/{trace_id}/scores',
    'GET /analytics/metrics',
    'GET /analytics/export',
    'GET /analytics/costs',
    'GET /analytics/performance',
    'POST /versions',
    'GET /versions',
    'GET /versions/{version_id}',
    'POST /versions/{version_id}/rollback',
    'GET /versions/compare',
    'POST /score-with-judge',
  ),
  ...project(
    'done',
    'POST /testing/suites',
    'GET /testing/suites',
    'POST /testing/suites/{suite_id}/cases',
    'POST /testing/suites/{suite_id}/run',
    'GET /testing/runs/{run_id}/results',
  ),
  // decisions.md, section 2
  ...project(
    'done',
    'POST /traces/batch',
    'GET /events',
    'GET /versions/history',
    'DELETE /traces/{trace_id}',
    'DELETE /traces',
    'GET /traces/{trace_id}/scores',
    'DELETE /traces/{trace_id}/scores/{score_id}',
    'GET /analytics/timeseries',
    'GET /analytics/scores',
    'GET /analytics/sessions',
    'GET /analytics/sessions/{session_id}',
    'POST /scorers',
    'GET /scorers',
    'GET /scorers/{slug}',
    'PUT /scorers/{slug}',
    'DELETE /scorers/{slug}',
  ),
  ...project(
    'done',
    'GET /testing/suites/{suite_id}',
    'PATCH /testing/suites/{suite_id}',
    'DELETE /testing/suites/{suite_id}',
    'GET /testing/suites/{suite_id}/cases',
    'GET /testing/suites/{suite_id}/cases/{case_id}',
    'PATCH /testing/suites/{suite_id}/cases/{case_id}',
    'DELETE /testing/suites/{suite_id}/cases/{case_id}',
    'GET /testing/runs',
    'GET /testing/runs/compare',
    'GET /testing/runs/{run_id}',
    'PATCH /testing/runs/{run_id}',
    'DELETE /testing/runs/{run_id}',
    'POST /testing/runs/{run_id}/cancel',
  ),
  ...project('to do', 'POST /scorers/{slug}/run'),
  // chat-api.md, section 4.1 and 4.2
  ...chat(
    'done',
    'POST /answer_question',
    'POST /answer_question_stream',
    'GET /info',
    'POST /upload_with_scopes',
    'POST /scopes/configure',
    'GET /scopes',
    'DELETE /scopes',
  ),
  ...plain('done', 'GET /v1/health'),
  // chat-api.md, sections 4.3 and 4.4
  ...plain(
    'to do',
    'POST /v1/console/apps/register',
    'POST /v1/me/chats/query',
    'POST /v1/me/chats/files/upload',
    'POST /v1/me/chats/files/upload-bulk',
    'GET /v1/me/chats/files',
    'DELETE /v1/me/chats/files/{file_id}',
    'GET /v1/me/profile',
  ),
  // chat-api.md, sections 4.5 and 4.6
  ...plain(
    'done',
    'GET /graph_data/{chat_id}',
    'POST /create_nodes_and_embeddings',
    'POST /answer_question',
    'POST /answer_question_stream',
    'POST /extract-pdf-text',
    'DELETE /remove_context/{file_id}',
    'DELETE /delete_chat_nodes/{chat_id}',
    'POST /cleanup_chat_data/{chat_id}',
    'GET /debug_chat_data/{chat_id}',
    'GET /node_details/{node_id}',
    'PUT /update_node/{node_id}',
    'DELETE /delete_node/{node_id}',
    'POST /create_relationship',
    'PUT /update_relationship/{relationship_id}',
    'DELETE /delete_relationship/{relationship_id}',
  ),
  // decisions.md, section 3 and 4
  ...chat(
    'done',
    'POST /search',
    'GET /settings',
    'POST /settings',
    'GET /files',
    'GET /files/{file_id}/status',
    'DELETE /files/{file_id}',
  ),
  ...plain('to do', 'GET /v1/me/events'),
  // decisions.md, section 6
  ...plain(
    'done',
    'GET /v1/ready',
    'POST /v1/console/projects',
    'GET /v1/console/projects',
    'GET /v1/console/projects/{project_id}',
    'PATCH /v1/console/projects/{project_id}',
    'DELETE /v1/console/projects/{project_id}',
    'POST /v1/console/projects/{project_id}/keys',
    'GET /v1/console/projects/{project_id}/keys',
    'POST /v1/console/projects/{project_id}/reprice',
    'DELETE /v1/console/keys/{key_id}',
    'POST /v1/console/projects/{project_id}/chats',
    'GET /v1/console/projects/{project_id}/chats',
    'GET /v1/console/chats/{chat_id}',
    'PATCH /v1/console/chats/{chat_id}',
    'DELETE /v1/console/chats/{chat_id}',
    'POST /v1/console/chats/{chat_id}/publish',
    'POST /v1/console/chats/{chat_id}/unpublish',
    'GET /v1/console/chats/{chat_id}/history',
    'POST /v1/console/chats/{chat_id}/keys',
    'GET /v1/console/chats/{chat_id}/keys',
    'GET /v1/console/audit',
    'GET /v1/console/prices',
    'GET /v1/console/projects/{project_id}/prices',
    'PUT /v1/console/projects/{project_id}/prices',
    'DELETE /v1/console/projects/{project_id}/prices/{price_id}',
    'GET /v1/console/projects/{project_id}/events',
    'POST /v1/console/projects/{project_id}/webhooks',
    'GET /v1/console/projects/{project_id}/webhooks',
    'GET /v1/console/webhooks/{webhook_id}',
    'PATCH /v1/console/webhooks/{webhook_id}',
    'DELETE /v1/console/webhooks/{webhook_id}',
    'POST /v1/console/webhooks/{webhook_id}/rotate-secret',
    'POST /v1/console/webhooks/{webhook_id}/test',
    'GET /v1/console/webhooks/{webhook_id}/deliveries',
    'POST /v1/console/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  ),
  ...plain(
    'to do',
    'GET /v1/console/apps',
    'GET /v1/console/apps/{app_id}',
    'PATCH /v1/console/apps/{app_id}',
    'DELETE /v1/console/apps/{app_id}',
    'GET /v1/console/apps/{app_id}/users',
    'DELETE /v1/console/apps/{app_id}/users/{user_id}',
    'GET /v1/console/models',
    'GET /v1/console/budgets',
  ),
]
