import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { databases } from '../support/databases.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'
import { openRequest, socketTalk } from '../support/wire.ts'

/** Random words of this run, each for one kind of field. */
const secrets = Object.fromEntries(
  [
    'question',
    'document',
    'filename',
    'scope',
    'session',
    'input',
    'output',
    'metadata',
    'user',
    'comment',
    'wrongKey',
    'wrongToken',
    'path',
    'query',
    'header',
    'malformed',
    'name',
  ].map((place) => [place, `secret${place}${randomBytes(6).toString('hex')}`]),
)

const databasePassword = `secretpassword${randomBytes(6).toString('hex')}`

/** Valid requests to every endpoint with content, with a secret in each field. */
async function goodRequests(tenant: Tenant): Promise<void> {
  const { chat, chatId, project, projectId } = tenant
  const scopes = { team: secrets.scope }
  const text = `# Notes\n\nThe ${secrets.document} is kept behind the clock in the hall.`
  await chat.ok(
    'POST',
    `/v1/${chatId}/upload_with_scopes`,
    uploadForm(`${secrets.filename}.md`, text, scopes),
  )
  const question = `Where is the ${secrets.document} kept, ${secrets.question}?`
  const ask = { question, session_id: secrets.session, scope_filters: scopes }
  await chat.ok('POST', `/v1/${chatId}/answer_question`, ask)
  await chat.ok('POST', `/v1/${chatId}/answer_question_stream`, ask)
  const trace = {
    input: secrets.input,
    output: secrets.output,
    session_id: secrets.session,
    user_id: secrets.user,
    metadata: { [secrets.metadata ?? '']: secrets.metadata },
  }
  const { trace_id } = (await project.ok('POST', `/v1/${projectId}/traces`, trace)).body
  await project.ok('POST', `/v1/${projectId}/traces/batch`, { traces: [trace] })
  await project
    .ok('GET', `/v1/${projectId}/analytics/traces?cursor=&${secrets.query}=${secrets.query}`)
    .catch(() => {})
  await project.ok('GET', `/v1/${projectId}/analytics/traces/${trace_id}`)
  await project.ok('GET', `/v1/${projectId}/analytics/export?format=csv`)
  const admin = Api.admin(project.url)
  const pdf_id = `id${secrets.document}${randomBytes(4).toString('hex')}`
  const pdf_text = `The ${secrets.document} is a text. ${'Words. '.repeat(300)}`
  const filename = `${secrets.filename}.pdf`
  await admin.ok('POST', '/create_nodes_and_embeddings', { pdf_text, pdf_id, chat_id: chatId, filename })
  await admin.ok('POST', '/answer_question', { question, chat_id: chatId })
  const { nodes } = (await admin.ok('GET', `/graph_data/${chatId}`)).body
  await admin.ok('PUT', `/update_node/${pdf_id}`, { filename, [secrets.name ?? '']: secrets.comment })
  const [source_id, target_id] = nodes.slice(-2).map(({ id }: { id: string }) => id)
  const ends = { source_id, target_id, relationship_type: 'SUPPORTS' }
  await admin.ok('POST', '/create_relationship', { ...ends, properties: { note: secrets.comment } })
  await admin.ok('DELETE', `/remove_context/${pdf_id}`)
  await admin.ok('POST', '/v1/console/projects', { name: secrets.name })
}

/** The same fields in requests that are rejected or fail, because errors may write secrets to the log. */
async function badRequests(tenant: Tenant): Promise<number[]> {
  const { chat, chatId, project, projectId } = tenant
  const { url } = project
  const upload = `/v1/${chatId}/upload_with_scopes`
  const answers = await Promise.all([
    project.post(`/v1/${projectId}/traces`, `{"input": "${secrets.malformed}`),
    project.post(`/v1/${projectId}/traces`, { input: secrets.input, output: 7 }),
    project.post(`/v1/${projectId}/traces`, {
      input: 'a',
      output: 'b',
      created_at: secrets.malformed,
      spans: [{ name: 'x', start: secrets.malformed }],
    }),
    project.get(`/v1/${projectId}/analytics/traces?start_date=${secrets.query}`),
    project.get(`/v1/${projectId}/analytics/traces?cursor=${secrets.query}`),
    project.get(`/v1/${secrets.path}/analytics/traces`),
    project.get(`/${secrets.path}?a=${secrets.query}`),
    chat.post(upload, uploadForm(`${secrets.filename}.exe`, secrets.document ?? '')),
    chat.post(upload, uploadForm(`${secrets.filename}.pdf`, `%PDF-1.7 ${secrets.document}`)),
    chat.post(upload, uploadForm(`${secrets.filename}.md`, 'x', { 'bad name': secrets.scope })),
    chat.post(`/v1/${chatId}/answer_question`, { question: secrets.question, model: secrets.question }),
    new Api(url).withKey(`tk_${secrets.wrongKey}_x`).get(`/v1/${projectId}/analytics/traces`),
    new Api(url, { 'x-admin-token': secrets.wrongToken ?? '' }).get('/v1/console/projects'),
    new Api(url, { [`x-${secrets.header}`]: secrets.header ?? '' }).get(`/v1/${chatId}/info`),
    Api.admin(url).post('/create_nodes_and_embeddings', {
      pdf_text: secrets.document,
      pdf_id: `${secrets.path} `,
      chat_id: chatId,
      filename: secrets.filename,
    }),
    Api.admin(url).get(`/node_details/${secrets.path}`),
    Api.admin(url).call('PUT', `/update_node/${secrets.path}`, { body: { text: secrets.document } }),
    socketTalk(
      url,
      (socket) => void socket.write(`BREW /${secrets.path} HTTP/9\r\n${secrets.header}\r\n\r\n`),
    ),
  ])
  return answers.map(({ status }) => status)
}

/** A request that the client aborts before its end. */
async function brokenOff({ chat, chatId }: Tenant): Promise<void> {
  const headers = { ...chat.credential, 'content-type': 'application/json', 'content-length': '999' }
  const body = `{"question":"${secrets.question}`
  const socket = openRequest(chat.url, 'POST', `/v1/${chatId}/answer_question`, { headers, body })
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.destroy()
}

/** Requests during an outage of the database, so that they fail with a 500 or 503. */
async function failingRequests(tenant: Tenant, databaseUrl: string, output: () => string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('drop table relationships cascade')
  // The job of this file fails.
  const upload = `/v1/${tenant.chatId}/upload_with_scopes`
  await tenant.chat.ok(
    'POST',
    upload,
    uploadForm(`${secrets.filename}-2.md`, `# Hall\n\n${'A clock. '.repeat(50)}`),
  )
  await expect.poll(output, { timeout: 20_000 }).toContain('a job failed')
  await client.query('drop table scores, trace_bodies, chunk_rows cascade')
  await client.end()
  await goodRequests(tenant).catch(() => {})
  await badRequests(tenant)
  const { project, projectId, chat, chatId } = tenant
  const failed = await Promise.all([
    project.post(`/v1/${projectId}/traces`, { input: secrets.input, output: secrets.output }),
    chat.post(`/v1/${chatId}/answer_question`, { question: secrets.question }),
  ])
  expect(failed.map(({ status }) => status)).toEqual([500, 500])
}

function expectNoSecret(server: Server, tenant: Tenant): void {
  const keys = { adminToken, projectKey: tenant.projectKey, chatKey: tenant.chatKey, databasePassword }
  const output = server.output().toLowerCase()
  const leaked = Object.entries({ ...secrets, ...keys }).filter(([, text]) =>
    output.includes(String(text).toLowerCase()),
  )
  expect(leaked.map(([place]) => place)).toEqual([])
}

describe.each(databases)('the output of the server, on $database', ({ database, env }) => {
  it('contains no secret of any request, at the log level trace', async () => {
    const environment: Record<string, string> = await env()
    const databaseUrl = environment.DATABASE_URL
    if (databaseUrl) {
      const withPassword = new URL(databaseUrl)
      withPassword.password = databasePassword
      environment.DATABASE_URL = withPassword.href
    }
    const server = await startServer({ env: { ...environment, CAIRN_LOG_LEVEL: 'trace' } })
    const tenant = await createTenant(server.url)
    await goodRequests(tenant)
    const refused = await badRequests(tenant)
    expect(refused.filter((status) => status < 400 || status >= 500)).toEqual([])
    await brokenOff(tenant)
    if (databaseUrl) await failingRequests(tenant, databaseUrl, () => server.output())
    await server.stop()
    expectNoSecret(server, tenant)
    // The requests were logged with their routes, not with their URLs.
    expect(server.output()).toContain('/v1/:chat_id/upload_with_scopes')
    expect(server.output().includes(tenant.chatId)).toBe(false)
    if (database === 'PostgreSQL') expect(server.output()).toContain('"internal_error"')
  })
})
