import type { Client, CreateTrace } from '@cairn/sdk'
import { longAgentTrace } from './sample-agent.ts'

/** Ids of the sample traces and their data. */
export interface SampleTraces {
  /** A trace with a conversation, spans of every kind including an error, tool calls and scores. */
  agentTrace: string
  /** An agent with 60 spans, images, long Markdown, several scripts and errors. */
  longTrace: string
  sessionId: string
}

const minuteMs = 60_000
const questions = [
  ['How long may I keep a borrowed book?', 'Three weeks, and twice three more if nobody waits for it.'],
  ['Is the reading room open on Sundays?', 'No. It is open from Monday to Saturday, from nine to seven.'],
  ['Where do I return a book at night?', 'Into the box beside the main door; it is emptied at eight.'],
  ['What does a new card cost?', 'The first card is free, another one costs five euros.'],
] as const
const models = ['gpt-4o-mini', 'gpt-4o', 'claude-sonnet-4']
const tags = [['billing'], ['opening-hours', 'web'], ['loans'], ['loans', 'web']]

/** Always the same item of a list for the same index. */
function pick<T>(list: readonly T[], place: number): T {
  return list[(place * 7 + (place >> 2)) % list.length] as T
}

function answer(place: number, now: number): CreateTrace {
  const [input, output] = pick(questions, place)
  const failed = place % 11 === 4
  return {
    input,
    output: failed ? '' : output,
    model: pick(models, place),
    version: place % 3 === 0 ? '1.4.0' : '1.3.2',
    environment: place % 5 === 0 ? 'staging' : 'production',
    latency_ms: 380 + ((place * 347) % 2900),
    status: failed ? 'error' : 'success',
    ...(failed && { error: 'the provider answered 503: the model is overloaded' }),
    tags: pick(tags, place),
    token_usage: {
      prompt_tokens: 180 + ((place * 53) % 900),
      completion_tokens: failed ? 0 : 24 + ((place * 17) % 160),
    },
    cost: 0.00021 + ((place * 37) % 100) / 12_000,
    session_id: `visit-${1000 + (place >> 2)}`,
    user_id: `reader-${(place >> 2) % 7}`,
    custom_attributes: { plan: place % 2 === 0 ? 'free' : 'member', expected_output: output },
    created_at: new Date(now - place * 3.5 * minuteMs).toISOString(),
  }
}

const chat = [
  {
    role: 'system',
    content: 'You help the readers of a public library. Say what the rules say, and nothing else.',
  },
  { role: 'user', content: 'I have three books at home since May. What do I owe?' },
]
const reply = {
  role: 'assistant',
  content:
    'Two of the three are overdue: 4.20 € in all. You can pay at the desk or with your card number on the web page.',
}

/** A question to an agent with tools, with its steps. */
export function agentTrace(now: number): CreateTrace {
  const at = (ms: number) => now - 5000 + ms
  const span = (
    id: string,
    parent: string | null,
    name: string,
    kind: string,
    from: number,
    to: number,
    more = {},
  ) => ({
    span_id: id,
    ...(parent && { parent_id: parent }),
    name,
    kind: kind as 'llm',
    start_ms: at(from),
    end_ms: at(to),
    ...more,
  })
  return {
    input: JSON.stringify(chat),
    output: JSON.stringify(reply),
    model: 'gpt-4o',
    version: '1.4.0',
    environment: 'production',
    latency_ms: 3180,
    tags: ['agent', 'loans'],
    token_usage: { prompt_tokens: 2140, completion_tokens: 186, total_tokens: 2326 },
    cost: 0.00721,
    cost_breakdown: { llm: 0.0071, embedding: 0.00011 },
    session_id: 'visit-1000',
    user_id: 'reader-0',
    custom_attributes: { plan: 'member', branch: { city: 'Ulm', desk: 2 } },
    metadata: { region: 'eu-central', expected_output: 'Two books are overdue, 4.20 €.' },
    tool_calls: [
      { name: 'find_loans', arguments: { reader: 'reader-0' }, result: [{ title: 'Tides', days_late: 12 }] },
      { name: 'fee_of', arguments: { days: 12, books: 2 }, result: 4.2 },
    ],
    spans: [
      span('a', null, 'answer-reader', 'agent', 0, 3180),
      span('b', 'a', 'retrieve rules', 'retrieval', 20, 310, {
        attributes: { passages: 8, top_score: 0.82 },
      }),
      span('c', 'b', 'embed question', 'embedding', 25, 140, {
        attributes: { model: 'text-embedding-3-small' },
      }),
      span('d', 'a', 'plan', 'llm', 320, 1240, {
        input: JSON.stringify({ messages: chat }),
        output: JSON.stringify({ role: 'assistant', content: 'I look up the loans and the fees.' }),
        attributes: { model: 'gpt-4o', temperature: 0 },
      }),
      span('e', 'a', 'tools', 'chain', 1250, 2040),
      span('f', 'e', 'find_loans', 'tool', 1255, 1600, { attributes: { rows: 3 } }),
      span('g', 'e', 'fee_of', 'tool', 1610, 1760, { status: 'error', error: 'timeout after 150 ms' }),
      span('h', 'e', 'fee_of (second try)', 'tool', 1765, 2030),
      span('i', 'a', 'write answer', 'llm', 2060, 3160, {
        output: reply.content,
        attributes: { model: 'gpt-4o' },
      }),
    ],
    created_at: new Date(now - 30_000).toISOString(),
  }
}

/** Writes traces of a day, with sessions, scores, a batch and rules. */
export async function makeSampleTraces(client: Client, projectId: string): Promise<SampleTraces> {
  const now = Date.now()
  const traces = Array.from({ length: 240 }, (_, place) => answer(place, now - 2 * minuteMs))
  const { results } = await client.traces.createBatch(projectId, traces)
  const { trace_id: agent } = await client.traces.create(projectId, agentTrace(now))
  const { trace_id: longTrace } = await client.traces.create(projectId, longAgentTrace(now - minuteMs))
  const ids = results.flatMap((result) => ('trace_id' in result ? result.trace_id : []))
  for (const [place, id] of ids.slice(0, 12).entries()) {
    const value = [1, 0.8, 0.4][place % 3] as number
    await client.scores.create(projectId, id, {
      name: 'helpful',
      value,
      ...(value < 0.5 && { comment: 'Not what was asked' }),
    })
  }
  await client.scores.create(projectId, agent, {
    name: 'helpful',
    value: 0.9,
    comment: 'Right, but it names no desk.',
  })
  await client.scorers.judge(projectId, { scorer_slug: 'correctness', trace_id: agent })
  await client.scorers.create(projectId, {
    slug: 'tone',
    description: 'whether the answer is friendly',
    prompt: 'A reader of the library wrote:\n{{input}}\n\nIs the tone of this answer friendly?\n{{output}}',
    choices: { friendly: 1, neutral: 0.5, rude: 0 },
  })
  await client.judging.rules.create(projectId, {
    name: 'Tone in production',
    scorer: 'toxicity',
    filter: { environment: 'production' },
    sample_rate: 0.2,
  })
  await client.judging.rules.create(projectId, {
    name: 'Everything is brief',
    scorer: 'conciseness',
    enabled: false,
  })
  await finishBatch(client, projectId, 'correctness')
  return { agentTrace: agent, longTrace, sessionId: 'visit-1001' }
}

async function finishBatch(client: Client, projectId: string, scorer: string): Promise<void> {
  const { scoring_id: id } = await client.judging.batches.start(projectId, scorer, {
    filter: { status: 'success', tag: 'loans' },
    limit: 60,
  })
  while ((await client.judging.batches.get(projectId, id)).state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
