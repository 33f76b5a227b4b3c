import type { Answer, Tenant } from './api.ts'
import { uploadForm } from './api.ts'
import type { ProviderCall } from './provider.ts'

/** Whether a call to OpenAI's API asks for a question that can be understood without the conversation. */
export function isRewriting({ body }: ProviderCall): boolean {
  return body.messages[0].content.startsWith('Rewrite the last question')
}

/** The numbers of the citation markers of an answer, as a client parses them. */
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

/** The newest trace, with its spans. */
export async function lastTrace(tenant: Tenant): Promise<Answer['body']> {
  const base = `/v1/${tenant.projectId}/analytics/traces`
  const { body: list } = await tenant.project.ok('GET', `${base}?limit=1`)
  return (await tenant.project.ok('GET', `${base}/${list[0]?.trace_id}`)).body
}
