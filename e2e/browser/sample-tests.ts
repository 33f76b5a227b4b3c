import { type Client, type CreateCase, createClient } from '@cairn/sdk'

/** Sample suites, runs, keys and other data for the screens of tests and settings. */
export interface TestsSample {
  suiteId: string
  /** Runs of the suite, oldest first. */
  runIds: string[]
  webhookId: string
}

/** Questions with an answer in the sample handbook, and two without. */
const cases: CreateCase[] = [
  {
    query: 'How many days of paid leave do new staff get?',
    expected_answer: 'New staff get 27 days of paid leave a year.',
    category: 'leave',
    assertions: [
      { type: 'contains', value: '27 days' },
      { type: 'max_latency_ms', value: 5000 },
    ],
  },
  {
    query: 'Who approves leave in July?',
    expected_answer: 'The operations manager, three weeks ahead.',
    category: 'leave',
    assertions: [
      { type: 'contains', value: 'operations manager' },
      { type: 'min_score', value: 0.7, scorer: 'correctness' },
    ],
  },
  {
    query: 'When does the first crossing leave Gullhaven?',
    expected_answer: 'The first crossing leaves Gullhaven at 6:10.',
    category: 'timetable',
    assertions: [{ type: 'contains', value: '6:10' }],
  },
  {
    query: 'Which wind keeps the ferry in the harbour?',
    expected_answer: 'More than 17 metres a second at the harbour mouth.',
    category: 'safety',
    assertions: [{ type: 'contains', value: '17 m/s' }],
  },
  {
    query: 'Answer as JSON: how many passengers does the ferry take?',
    expected_answer: '{"passengers": 148}',
    category: 'format',
    assertions: [
      { type: 'json_valid', value: true },
      { type: 'similar', value: 0.8 },
    ],
  },
  {
    query: 'What does a bicycle cost at weekends?',
    expected_answer: 'Bicycles cost 2 euros at weekends.',
    category: 'prices',
    assertions: [{ type: 'contains', value: 'EUR 2' }],
  },
]

/** The corrected form of too strict assertions. */
const mended: Record<number, string> = { 3: '17 metres', 5: '2 euros' }

/** Fills a project with suites, runs and settings. */
export async function makeTestsSample(
  client: Client,
  baseUrl: string,
  projectId: string,
  chatId: string,
): Promise<TestsSample> {
  const key = { name: 'Nightly tests', permissions: ['read' as const, 'write' as const] }
  const { api_key: apiKey } = await client.console.keys.createForProject(projectId, key)
  const { suites, cases: caseCalls, runs } = createClient({ baseUrl, apiKey }).testing
  const { suite_id: empty } = await suites.create(projectId, { name: 'Tone of answers', tags: ['draft'] })
  const { suite_id: suiteId } = await suites.create(projectId, {
    name: 'Questions about the handbook',
    description: 'What new staff ask in their first week.',
    tags: ['handbook', 'release'],
    target: { type: 'chat', chat_id: chatId },
  })
  await caseCalls.create(projectId, empty, { query: 'Hello', expected_answer: 'Hello! How can I help?' })
  const runIds: string[] = []
  const made: string[] = []
  for (const one of cases) made.push((await caseCalls.create(projectId, suiteId, one)).case_id)
  const start = async (name?: string, changed?: number) => {
    const at = changed === undefined ? undefined : made[changed]
    if (at)
      await caseCalls.update(projectId, suiteId, at, {
        assertions: [{ type: 'contains', value: mended[changed ?? 0] ?? '' }],
      })
    const { run_id: runId } = await suites.run(projectId, suiteId, { ...(name && { name }), concurrency: 2 })
    await runs.wait(projectId, runId, { everyMs: 50 })
    runIds.push(runId)
  }
  await start('First look')
  await start(undefined, 3)
  await start('Nightly', 5)
  await start('With the shorter prompt')
  await caseCalls.update(projectId, suiteId, made[0] ?? '', {
    expected_answer: 'New staff get 28 days of paid leave a year.',
    assertions: [{ type: 'contains', value: '28 days' }],
  })
  await start('After the new handbook')
  await runs.update(projectId, runIds.at(-1) ?? '', {
    notes: 'The handbook of March is in; leave has changed.',
  })
  return { suiteId, runIds, webhookId: await makeSettings(client, projectId) }
}

async function makeSettings(client: Client, projectId: string): Promise<string> {
  const { console: api } = client
  await api.keys.createForProject(projectId, { name: 'Production', permissions: ['ingest'] })
  await api.prices.set(projectId, { model: 'gpt-4o-mini', start_date: '2026-01-01', input: 0.1, output: 0.4 })
  await api.budgets.create({ project_id: projectId, scope: 'project', period: 'month', limit: 500 })
  const { webhook_id: webhookId } = await api.webhooks.create(projectId, {
    url: 'https://hooks.example.com/cairn',
    event_types: ['run_completed', 'run_failed', 'budget_exceeded'],
    description: 'The team channel',
  })
  return webhookId
}
