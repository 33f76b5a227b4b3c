import { type Client, type CreateTrace, createClient } from '@cairn/sdk'
import { seededRandom } from '../support/random.ts'

const hourMs = 3_600_000
const days = 30
const versions = ['1.0.0', '1.1.0', '1.2.0']
const questions = [
  'How long is the warranty of a refurbished laptop?',
  'Can I change the delivery address after ordering?',
  'Which plan includes phone support?',
  'Where do I find the invoice of last month?',
]

const basePrompt = `You answer questions of our customers.
Quote the help pages, and say so when they have no answer.`

const configs = [
  { model: 'gpt-4o-mini', temperature: 0.7, max_tokens: 800, prompt: basePrompt },
  { model: 'gpt-4o-mini', temperature: 0.3, max_tokens: 800, prompt: `${basePrompt}\nBe brief.` },
  {
    model: 'claude-sonnet-4-5',
    temperature: 0.2,
    max_tokens: 600,
    prompt: `${basePrompt.replace('Quote the help pages', 'Cite the help pages by number')}\nBe brief and kind.`,
  },
]

/** The differences between versions: each one is faster, and the last one costs more. */
const latencies = [1500, 1150, 820]
const failures = [0.06, 0.04, 0.015]

/** One trace of a busy project, with more traces by day than at night. */
function traceAt(random: () => number, at: number, age: number): CreateTrace {
  const version = age > 18 ? 0 : age > 6 ? 1 : random() < 0.7 ? 2 : 1
  const failed = random() < (failures[version] as number)
  const model = version === 2 ? 'claude-sonnet-4-5' : random() < 0.7 ? 'gpt-4o-mini' : 'gpt-4o'
  const prompt = Math.round(300 + random() * 900)
  const completion = failed ? 0 : Math.round(40 + random() * 260)
  const question = questions[Math.floor(random() * questions.length)] as string
  return {
    input: question,
    output: failed ? '' : 'Two years, counted from the day of delivery.',
    model,
    version: versions[version] as string,
    environment: random() < 0.85 ? 'production' : 'staging',
    status: failed ? 'error' : 'success',
    ...(failed && {
      error: random() < 0.6 ? 'the provider answered 529: overloaded' : 'no answer within 30 s',
    }),
    latency_ms: Math.round((latencies[version] as number) * Math.exp(random() * 1.6 - 0.7)),
    token_usage: { prompt_tokens: prompt, completion_tokens: completion },
    tags: [random() < 0.5 ? 'chat' : 'email', ...(random() < 0.2 ? ['escalated'] : [])],
    custom_attributes: { plan: ['free', 'team', 'enterprise'][Math.floor(random() * 3)] },
    session_id: `visit-${Math.floor(random() * 400)}`,
    created_at: new Date(at).toISOString(),
  }
}

/** A client with a new key of a project. */
export async function projectClient(console: Client, baseUrl: string, projectId: string): Promise<Client> {
  const { api_key: apiKey } = await console.console.keys.createForProject(projectId)
  return createClient({ baseUrl, apiKey })
}

/** Writes a month of traces, scores of some of them, and three versions. Returns the ids of the versions. */
export async function sampleAnalytics(client: Client, projectId: string, perHour = 9): Promise<string[]> {
  const ids: string[] = []
  for (const [at, version] of versions.entries()) {
    const description = ['First prompt', 'Cooler and shorter', 'Another model, cites by number'][at] as string
    const config = configs[at] as (typeof configs)[number]
    const made = await client.versions.publish(projectId, { version, description, config })
    ids.push(made.version_id)
  }
  const random = seededRandom(7)
  const now = Date.now()
  const traces: CreateTrace[] = []
  for (let hour = days * 24; hour >= 0; hour--) {
    const at = now - hour * hourMs
    const busy = 0.35 + 0.65 * Math.max(0, Math.sin(((new Date(at).getUTCHours() - 6) / 24) * 2 * Math.PI))
    const count = Math.round(perHour * busy * (0.7 + random() * 0.6))
    for (let one = 0; one < count; one++) {
      // No traces in the future, so the current hour has fewer traces.
      traces.push(traceAt(random, Math.min(now - 1000, at - random() * hourMs), hour / 24))
    }
  }
  for (let from = 0; from < traces.length; from += 1000) {
    const { results } = await client.traces.createBatch(projectId, traces.slice(from, from + 1000))
    const made = results.flatMap((result) => ('trace_id' in result ? [result.trace_id] : []))
    await score(client, projectId, made.slice(-20), random)
  }
  return ids
}

async function score(client: Client, projectId: string, traces: string[], random: () => number) {
  for (const trace of traces) {
    await client.scores.create(projectId, trace, { name: 'helpfulness', value: 0.6 + random() * 0.4 })
    if (random() < 0.5)
      await client.scores.create(projectId, trace, { name: 'faithful', value: 1 - random() * 0.3 })
  }
}

/** A published chat with one document, for the overview. */
export async function sampleChat(console: Client, baseUrl: string, projectId: string): Promise<string> {
  const { chat_id: chatId } = await console.console.chats.create(projectId, {
    title: 'Help pages',
    publish: true,
  })
  const { api_key: apiKey } = await console.console.keys.createForChat(chatId)
  const file = new Blob(['# Warranty\n\nRefurbished laptops have a warranty of two years.\n'])
  await createClient({ baseUrl, apiKey }).documents.upload(chatId, { file, filename: 'warranty.md' })
  return chatId
}
