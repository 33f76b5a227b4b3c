import { Api, type Tenant } from './api.ts'
import type { Ids } from './routes.ts'

/** One of each thing that a path can name, all of one tenant. */
export async function createIds(url: string, { projectId, chatId, project }: Tenant): Promise<Ids> {
  const trace = { input: 'a', output: 'b', session_id: 'a-session' }
  const { trace_id } = (await project.ok('POST', `/v1/${projectId}/traces`, trace)).body
  const scores = `/v1/${projectId}/traces/${trace_id}/scores`
  await project.ok('POST', scores, { name: 'tone', value: 0.5 })
  const { score_id } = (await project.ok('GET', scores)).body[0]
  const keys = await Api.admin(url).ok('GET', `/v1/console/projects/${projectId}/keys`)
  return {
    project_id: projectId,
    chat_id: chatId,
    trace_id,
    key_id: keys.body[0].key_id,
    score_id,
    session_id: trace.session_id,
  }
}
