import type { Trace } from '@cairn/sdk'
import { expect, it } from 'vitest'
import { traceSnippets } from './trace-snippets.ts'

const trace: Trace = {
  trace_id: "t'; rm -rf ~ #",
  input: 'JSON\n$(id) `id` "q" \\ \u202E عربي 😀',
  output: "it's",
  model: null,
  latency_ms: 5,
  status: 'success',
  tags: [],
  token_usage: { prompt_tokens: 1, completion_tokens: null },
  cost: 0.5,
  cost_source: 'computed',
  created_at: '2026-01-01T00:00:00.000Z',
  metadata: {},
  custom_attributes: { a: 1 },
  version: null,
  session_id: null,
  user_id: null,
  environment: null,
  cost_breakdown: null,
  tool_calls: [],
  spans: [],
  error: null,
  scores: [],
}
const codeOf = (task: 'read' | 'record') =>
  traceSnippets({ address: 'http://cairn.test', projectId: 'p', trace }, task).map(({ code }) => code)
const sent = {
  input: trace.input,
  output: trace.output,
  latency_ms: 5,
  status: 'success',
  token_usage: trace.token_usage,
  metadata: {},
  custom_attributes: { a: 1 },
  created_at: trace.created_at,
}

it('the code that records a trace again sends what a client may send, in every language', () => {
  const [curl = '', typescript = '', python = ''] = codeOf('record')
  const [, body = ''] = /<<'JSON'\n(.*)\nJSON\n$/s.exec(curl) ?? []
  expect(JSON.parse(body)).toEqual(sent)
  const [, argument = ''] = /create\((.*)\)\nconsole/s.exec(typescript) ?? []
  expect(JSON.parse(argument)).toEqual(sent)
  const [, literal = ''] = /^body = (".*")$/m.exec(python) ?? []
  expect(literal).toMatch(/^[ -~]*$/)
  expect(JSON.parse(JSON.parse(literal))).toEqual(sent)
})

it('no id leaves its quotes in the code that reads a trace', () => {
  const [curl = '', typescript = ''] = codeOf('read')
  expect(curl).toContain("'http://cairn.test/v1/p/analytics/traces/t%27%3B%20rm%20-rf%20~%20%23'")
  expect(typescript).toContain(`get(${JSON.stringify(trace.trace_id)})`)
})
