/** Traces of about 1 KB, equal in each run. */
export function traceBody(number: number): Record<string, unknown> {
  const prose = 'The gauge on the north pier showed a slow rise through the night and fell again at dawn. '
  return {
    input: `Question ${number}: ${prose.repeat(2)}`,
    output: `Answer ${number}: ${prose.repeat(4)}`,
    model: `model-${number % 5}`,
    latency_ms: 100 + (number % 900),
    status: number % 20 === 0 ? 'error' : 'success',
    tags: ['bench', `group-${number % 10}`],
    token_usage: {
      prompt_tokens: 200 + (number % 100),
      completion_tokens: 80,
      total_tokens: 280 + (number % 100),
    },
    cost: (number % 100) / 10_000,
    session_id: `session-${number % 1000}`,
    user_id: `user-${number % 500}`,
    version: '1.2.0',
    environment: 'production',
    metadata: { region: 'north', attempt: number % 3 },
    spans: [{ name: 'generate', start_ms: 1_700_000_000_000, end_ms: 1_700_000_000_100, kind: 'llm' }],
  }
}

/** `count` different bodies as JSON. */
export function traceBodies(count: number): string[] {
  return Array.from({ length: count }, (_, number) => JSON.stringify(traceBody(number)))
}

/** Bodies of batch requests with `size` traces each. */
export function batchBodies(count: number, size: number): string[] {
  return Array.from({ length: count }, (_, batch) =>
    JSON.stringify({ traces: Array.from({ length: size }, (_, index) => traceBody(batch * size + index)) }),
  )
}
