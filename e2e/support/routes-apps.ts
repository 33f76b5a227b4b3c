import type { Route } from './route.ts'
import { wrongNames } from './route-samples.ts'

/** The console's routes for applications. */
export const appRoutes: readonly Route[] = [
  { method: 'POST', path: '/v1/console/apps/register', credential: 'admin', status: 201, form: 'app' },
  { method: 'GET', path: '/v1/console/apps', credential: 'admin', status: 200 },
  { method: 'GET', path: '/v1/console/apps/{app_id}', credential: 'admin', status: 200 },
  {
    method: 'PATCH',
    path: '/v1/console/apps/{app_id}',
    credential: 'admin',
    status: 200,
    body: {
      app_name: 'an app',
      api_access_enabled: true,
      allowed_audiences: ['the-client'],
      allowed_issuers: [],
      alg_allowlist: ['RS256'],
      jwks_uri: '',
    },
    wrong: {
      app_name: wrongNames,
      allowed_audiences: [[], [''], ['DYNAMIC']],
      allowed_issuers: [[''], ['https://login.example.com']],
      alg_allowlist: [[], ['HS256'], ['none'], [''], ['x'.repeat(5000)]],
      jwks_uri: ['x', 'ftp://example.com', 'http://keys.example.com', 'https://a:b@example.com'],
    },
  },
  { method: 'GET', path: '/v1/console/apps/{app_id}/users', credential: 'admin', status: 200 },
  {
    method: 'DELETE',
    path: '/v1/console/apps/{app_id}/users/{user_id}',
    credential: 'admin',
    status: 200,
    destroys: true,
  },
  { method: 'DELETE', path: '/v1/console/apps/{app_id}', credential: 'admin', status: 200, destroys: true },
]

/** The routes of end users, who call with an ID token and an application id. */
export const userRoutes: readonly Pick<Route, 'method' | 'path'>[] = [
  { method: 'GET', path: '/v1/me/profile' },
  { method: 'POST', path: '/v1/me/chats/query' },
  { method: 'POST', path: '/v1/me/chats/feedback' },
  { method: 'POST', path: '/v1/me/chats/files/upload' },
  { method: 'POST', path: '/v1/me/chats/files/upload-bulk' },
  { method: 'GET', path: '/v1/me/chats/files' },
  { method: 'DELETE', path: '/v1/me/chats/files/{file_id}' },
  { method: 'GET', path: '/v1/me/events' },
]
