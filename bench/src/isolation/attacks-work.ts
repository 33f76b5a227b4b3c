import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sampleText } from '../support/sample-documents.ts'
import type { Attack } from './attack.ts'
import { asAdmin, fileBody, inChat, inProject, jsonBody, openSocket, parsed, type Target } from './client.ts'

/** Resolves when a run or a batch has ended, or after a while. */
async function untilOver(target: Target, path: string, field: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { status, text } = await inProject(target, 'GET', path)
    if (status !== 200 || (JSON.parse(text) as Record<string, string>)[field] !== 'running') return
    await pause(250)
  }
}

async function scoreAll(target: Target): Promise<number> {
  const answer = await inProject(target, 'POST', 'scorers/correctness/run', jsonBody({ overwrite: true }))
  if (answer.status === 201) {
    const { scoring_id } = JSON.parse(answer.text) as { scoring_id: string }
    await untilOver(target, `scorers/runs/${scoring_id}`, 'state')
  }
  return answer.status
}

const suites: string[] = []

/** Creates a suite with this number of cases. */
async function createSuite(target: Target, cases: number, testCase: object): Promise<void> {
  const suite = { name: 'attack', target: { type: 'builtin' } }
  const created = await inProject(target, 'POST', 'testing/suites', jsonBody(suite))
  const { suite_id } = parsed<{ suite_id: string }>(created)
  const add = async () => {
    parsed(await inProject(target, 'POST', `testing/suites/${suite_id}/cases`, jsonBody(testCase)))
  }
  for (let at = 0; at < cases; at += 20) await Promise.all(Array.from({ length: 20 }, add))
  suites.push(suite_id)
}

async function runSuite(target: Target): Promise<number> {
  const path = `testing/suites/${suites.at(-1)}/run`
  const answer = await inProject(target, 'POST', path, jsonBody({ concurrency: 32 }))
  if (answer.status === 201) {
    const { run_id } = JSON.parse(answer.text) as { run_id: string }
    await untilOver(target, `testing/runs/${run_id}`, 'status')
  }
  return answer.status
}

const question = () => jsonBody({ question: sampleText(99_000, 3, 'marker') })

let webhookId = ''

/** Creates an endpoint that never responds, and a webhook that calls it. */
async function hangWebhook(target: Target): Promise<void> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const created = await asAdmin(
    target,
    'POST',
    `/v1/console/projects/${target.projectId}/webhooks`,
    jsonBody({ url }),
  )
  webhookId = parsed<{ webhook_id: string }>(created).webhook_id
}

/** Requests a streamed answer and reads only its head. */
async function stallStream(target: Target): Promise<undefined> {
  const body = JSON.stringify({ question: 'What does the gauge on the north pier show?' })
  const socket = openSocket(
    { ...target, projectKey: target.chatKey },
    `POST /v1/${target.chatId}/answer_question_stream`,
    ['Content-Type: application/json', `Content-Length: ${body.length}`, ''],
  )
  socket.write(`\r\n${body}`)
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.pause()
  await pause(1000)
  socket.destroy()
}

/** Edits the first chunks of a document of 5 MB. A change of length moves all chunks after it. */
let chunkIds: string[] = []

async function uploadLong(target: Target): Promise<void> {
  const body = fileBody('long.md', sampleText(5_000_000, 1, 'marker'))
  const { file_id } = parsed<{ file_id: string }>(await inChat(target, 'POST', 'upload_with_scopes', body))
  const listed = await inChat(target, 'GET', `files/${file_id}/chunks?limit=10`)
  chunkIds = parsed<{ chunks: { chunk_id: string }[] }>(listed).chunks.map(({ chunk_id }) => chunk_id)
}

async function editChunk(target: Target, loop: number, round: number): Promise<number> {
  const text = `The gauge was read again. ${'More. '.repeat(round % 20)}`
  const path = `/update_node/${chunkIds[loop % chunkIds.length]}`
  return (await asAdmin(target, 'PUT', path, jsonBody({ text }))).status
}

/** Uploads a document and deletes it. */
async function churn(target: Target, loop: number, round: number): Promise<number> {
  const body = fileBody(`churn-${loop}.md`, sampleText(500_000, loop * 1000 + round, 'marker'))
  const answer = await inChat(target, 'POST', 'upload_with_scopes', body)
  if (answer.status >= 300) return answer.status
  const { file_id } = JSON.parse(answer.text) as { file_id: string }
  return (await inChat(target, 'DELETE', `files/${file_id}`)).status
}

export const workAttacks = {
  'chunk-edits': {
    about: 'chunk edits in a document of 5 MB, 8 at the same time',
    atOnce: 8,
    prepare: uploadLong,
    round: editChunk,
  },
  'files-churn': {
    about: 'uploads and deletions of documents of 500 KB, 8 at the same time',
    atOnce: 8,
    round: churn,
  },
  judging: { about: 'scoring batches over 60,000 traces', atOnce: 4, round: scoreAll },
  'test-runs': {
    about: 'test runs of 1,000 cases',
    atOnce: 4,
    prepare: (target) => createSuite(target, 1000, { query: 'What is up?', expected_answer: 'The sky.' }),
    round: runSuite,
  },
  'test-patterns': {
    about: 'test runs with patterns that never end',
    atOnce: 4,
    prepare: (target) =>
      createSuite(target, 40, {
        query: 'What is up?',
        expected_answer: 'The sky.',
        assertions: [{ type: 'regex', value: '^(([a-zA-Z ,.]+)+)+\\d$' }],
      }),
    round: runSuite,
  },
  'questions-large': {
    about: 'questions of 99,000 characters',
    atOnce: 8,
    round: async (target) => (await inChat(target, 'POST', 'answer_question', question())).status,
  },
  'streams-unread': { about: 'streamed answers that nobody reads', atOnce: 64, round: stallStream },
  'webhooks-hanging': {
    about: 'deliveries to an endpoint that never answers',
    atOnce: 8,
    env: { CAIRN_ALLOW_INSECURE_ISSUERS: 'true' },
    prepare: hangWebhook,
    round: async (target) => (await asAdmin(target, 'POST', `/v1/console/webhooks/${webhookId}/test`)).status,
  },
  reprice: {
    about: 'prices of 60,000 traces computed again',
    atOnce: 2,
    round: async (target) =>
      (await asAdmin(target, 'POST', `/v1/console/projects/${target.projectId}/reprice`, jsonBody({})))
        .status,
  },
} satisfies Record<string, Attack>
