const verbs: Record<string, string> = { POST: 'Create', PUT: 'Set', PATCH: 'Change', DELETE: 'Delete' }

/** Texts of routes that do not follow from method and path. */
const names: Record<string, string> = {
  'POST /v1/console/session': 'Sign in',
  'DELETE /v1/console/session': 'Sign out',
  'DELETE /v1/console/keys/:key_id': 'Revoke key',
  'POST /v1/console/apps/register': 'Register app',
  'POST /v1/console/webhooks/:webhook_id/rotate-secret': 'Create secret of webhook',
}

/** Last segments of paths that are verbs. */
const deeds = new Set(['publish', 'unpublish', 'rollback', 'reprice', 'test', 'retry', 'try', 'cancel'])

function singular(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The text of an audit log entry: `DELETE /v1/console/projects/:project_id` is `Delete project`. */
export function actionText(action: string): string {
  const known = names[action]
  if (known) return known
  const [method = '', route = ''] = action.split(' ')
  const parts = route.split('/').filter((part) => part !== '' && part !== 'v1' && part !== 'console')
  const things = parts.filter((part) => !part.startsWith(':'))
  const last = things.at(-1)
  if (last === undefined || !route.startsWith('/')) return action
  if (deeds.has(last)) return capital(`${last} ${singular(things.at(-2) ?? '')}`.trim())
  return `${verbs[method] ?? capital(method.toLowerCase())} ${singular(last).replaceAll(/[-_]/g, ' ')}`
}
