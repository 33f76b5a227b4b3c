import { Api, type Tenant } from './api.ts'

/** All that a tenant has, as one text: two readings are equal when nothing was written in between. */
export async function stateOf(url: string, { projectId, chatId, project }: Tenant): Promise<string> {
  const admin = Api.admin(url)
  const reads = [
    admin.ok('GET', '/v1/console/projects'),
    admin.ok('GET', `/v1/console/projects/${projectId}/keys`),
    admin.ok('GET', `/v1/console/projects/${projectId}/chats`),
    admin.ok('GET', `/v1/console/projects/${projectId}/webhooks`),
    admin.ok('GET', `/v1/console/projects/${projectId}/events`),
    admin.ok('GET', `/v1/console/chats/${chatId}/keys`),
    admin.ok('GET', `/graph_data/${chatId}`),
    project.ok('GET', `/v1/${projectId}/analytics/export?format=jsonl`),
  ]
  const answers = await Promise.all(reads)
  return answers.map((answer) => answer.text).join('\n')
}
