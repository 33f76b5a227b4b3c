import type { Answer, Tenant } from './api.ts'
import { uploadForm } from './api.ts'

/** The citation markers of an answer, as a client reads them. */
export function markersOf(answer: string): number[] {
  return [...answer.matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number))
}

export async function upload(tenant: Tenant, name: string, text: string): Promise<string> {
  const form = uploadForm(name, text)
  const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
  return body.file_id
}

export function ask(tenant: Tenant, question: string, rest: object = {}): Promise<Answer> {
  return tenant.chat.post(`/v1/${tenant.chatId}/answer_question`, { question, ...rest })
}

/** The complete trace that was written last. */
export async function lastTrace(tenant: Tenant): Promise<Answer['body']> {
  const base = `/v1/${tenant.projectId}/analytics/traces`
  const { body: list } = await tenant.project.ok('GET', `${base}?limit=1`)
  return (await tenant.project.ok('GET', `${base}/${list[0]?.trace_id}`)).body
}
