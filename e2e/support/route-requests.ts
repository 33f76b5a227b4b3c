import { type Tenant, uploadForm } from './api.ts'
import { appForm } from './applications.ts'
import type { Ids, Route } from './route.ts'
import { tinyPdf } from './tiny-pdf.ts'

export function fillPath(path: string, ids: Ids): string {
  return path.replace(/(?<!\{)\{(\w+)\}(?!\})/g, (_, name: string) => ids[name as keyof Ids] ?? '')
}

/** The path and query of the route's valid request. */
export function addressOf({ path, query, fixed }: Route, ids: Ids): string {
  return fillPath(query === undefined ? path : `${path}?${query}`, { ...ids, ...fixed })
}

/** A body with ids instead of their names. */
export function fillBody(body: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  return JSON.parse(fillPath(JSON.stringify(body), ids)) as Record<string, unknown>
}

let bodies = 0

/** The route's valid body; it can be sent repeatedly. */
export function freshBody(
  { body, once, form }: Route,
  ids: Ids,
): Record<string, unknown> | FormData | undefined {
  const number = bodies++
  if (form === 'note') return uploadForm('note.txt', `Note number ${number}.`)
  if (form === 'app') return toFormData(appForm('https://login.example.com'))
  if (form === 'pdf') return uploadForm('note.pdf', tinyPdf(`Note ${number}.`))
  const fresh = body && once !== undefined ? { ...body, [once]: `${body[once]}-${number}` } : body
  return fresh && fillBody(fresh, ids)
}

function toFormData(fields: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  return form
}

/** The headers of the route's credential. */
export function credentialOf(route: Route, tenant: Tenant, adminToken: string): Record<string, string> {
  if (route.credential === 'project-key') return { authorization: `Bearer ${tenant.projectKey}` }
  if (route.credential === 'chat-key') return { authorization: `Bearer ${tenant.chatKey}` }
  return route.credential === 'none' ? {} : { 'x-admin-token': adminToken }
}
