import type { CreateTrace } from '@cairn/contract'
import { describe, expect, it } from 'vitest'
import { type ReadExport, readContent, readExports } from '../../../../test/exports.ts'

const traceId = '8e0f7a6b5c4d3e2f1a0b9c8d7e6f5a4b'
const question = '{"question":"Where is my parcel?"}'
const at = (seconds: number) => Date.parse('2026-10-01T09:00:00Z') + seconds * 1000

function theTrace({ traces }: ReadExport): CreateTrace & { trace_id: string } {
  const [[trace_id, trace] = [], ...others] = traces
  if (!trace || trace_id === undefined || others.length > 0) throw new Error('there is not one trace')
  return { trace_id, ...trace }
}

function spanNamed(trace: CreateTrace, name: string) {
  const found = trace.spans?.filter((span) => span.name === name) ?? []
  if (found.length !== 1) throw new Error(`there are ${found.length} spans ${name}`)
  return found[0]
}

describe('Langfuse', () => {
  const answer = {
    span_id: 'gen-1',
    parent_id: 'root-span',
    kind: 'llm',
    start_ms: at(0.5),
    end_ms: at(1.75),
    input: [{ role: 'user', content: 'Where is my parcel?' }],
    output: [{ role: 'assistant', content: 'It arrives on Monday.' }],
    model: 'gpt-4o-mini',
    token_usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cache_read_tokens: 64 },
    cost: 0.0003,
    attributes: {
      'langfuse.observation.prompt.name': 'answer',
      'langfuse.observation.prompt.version': 3,
      'langfuse.observation.model.parameters': '{"temperature":0.2}',
    },
  }
  const fields = {
    trace_id: traceId,
    name: 'support',
    input: question,
    output: 'It arrives on Monday.',
    model: 'gpt-4o-mini',
    status: 'success',
    latency_ms: 2000,
    created_at: '2026-10-01T09:00:00.000Z',
    session_id: 'chat-5',
    user_id: 'ada',
    tags: ['prod', 'eu'],
    version: '1.4',
    environment: 'production',
    token_usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  }

  it('files of the export to a bucket make a trace, in any order', async () => {
    const files = ['langfuse-traces.jsonl', 'langfuse-observations.jsonl', 'langfuse-scores.jsonl']
    const read = await readExports('langfuse', ...files)
    const trace = theTrace(read)
    expect(trace).toMatchObject({ ...fields, metadata: { plan: 'pro' } })
    expect(trace.cost).toBeUndefined()
    expect(spanNamed(trace, 'answer')).toMatchObject(answer)
    expect(spanNamed(trace, 'track')).toMatchObject({
      kind: 'tool',
      status: 'error',
      error: 'carrier timed out',
    })
    // Its own metadata stays, because the trace has other metadata.
    expect(spanNamed(trace, 'handle request')).toMatchObject({
      attributes: { 'langfuse.observation.metadata.step': 'outer' },
    })
    expect(spanNamed(trace, 'cache miss')).toMatchObject({
      end_ms: null,
      attributes: { 'langfuse.observation.level': 'WARNING', 'langfuse.observation.status_message': 'cold' },
    })
    expect(await readExports('langfuse', ...files.toReversed())).toMatchObject({ traces: read.traces })
  })

  it('enriched observations make the same trace without the file of traces', async () => {
    const trace = theTrace(await readExports('langfuse', 'langfuse-enriched.jsonl'))
    expect(trace).toMatchObject({ ...fields, metadata: { step: 'outer' } })
    expect(spanNamed(trace, 'answer')).toMatchObject(answer)
  })

  it('scores keep name, comment, time and span; other kinds of scores are counted with a reason', async () => {
    const { scores, left } = await readExports('langfuse', 'langfuse-scores.jsonl')
    expect(scores).toEqual([
      {
        traceId,
        id: expect.any(String),
        name: 'helpful',
        value: 0.75,
        comment: 'quick',
        createdMs: at(3600),
      },
      { traceId, id: expect.any(String), name: 'grounded', value: 1, spanId: 'gen-1', createdMs: at(3600) },
    ])
    expect(left).toEqual({
      'scores tone: categorical, and a score is a number': 1,
      'scores stars: values outside 0 to 1; name their range, for example --scale stars=1..5': 1,
      'scores of sessions and dataset runs: a score belongs to a trace or a span': 1,
    })
    const again = await readExports('langfuse', 'langfuse-scores.jsonl')
    expect(again.scores).toEqual(scores)
  })

  it('a range maps scores to 0 to 1', async () => {
    const line = JSON.stringify({ id: 's', trace_id: 't', name: 'stars', value: 4, data_type: 'NUMERIC' })
    const { scores } = await readContent('langfuse', line, { scales: new Map([['stars', [1, 5]]]) })
    expect(scores).toMatchObject([{ name: 'stars', value: 0.75 }])
  })

  it('the table of traces has tokens and costs of its own, which count only without spans that have them', async () => {
    const table = await readExports('langfuse', 'langfuse-table-traces.json')
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
    const ofTable = { name: 'summarise', input: 'Summarise this', output: 'Short.', latency_ms: 1250 }
    expect(theTrace(table)).toMatchObject({
      ...ofTable,
      trace_id: 'trace-2',
      user_id: 'grace',
      metadata: { tier: 'gold' },
      token_usage: usage,
      cost: 0.002,
    })
    const page = await readExports('langfuse', 'langfuse-trace.json')
    const trace = theTrace(page)
    expect(trace).toMatchObject({ ...ofTable, trace_id: 'trace-3', token_usage: usage })
    expect(trace.cost).toBeUndefined()
    expect(trace.spans).toMatchObject([{ name: 'call', cost: 0.002, token_usage: usage }])
    expect(page.scores).toMatchObject([{ name: 'ok', value: 1, spanId: 'o-1' }])
  })

  it('CSV has texts of several lines, and structures as JSON', async () => {
    for (const size of [1, 7, 1000]) {
      const text =
        'id,traceId,name,dataType,value,comment\n"1",t,good,NUMERIC,0.5,"one\n""two"""\n2,t,good,NUMERIC,,\n3,t\n'
      const { scores, left, records } = await readContent('langfuse', text, { size })
      expect(scores).toMatchObject([{ name: 'good', value: 0.5, comment: 'one\n"two"' }])
      expect(left).toEqual({ 'scores good: they have no number': 1 })
      expect(records.at(-1)).toEqual({ line: 5, error: 'the line has 2 cells, but the header has 6 columns' })
    }
    const { scores } = await readExports('langfuse', 'langfuse-table-scores.csv')
    expect(scores).toMatchObject([{ traceId: 'trace-2', comment: 'first line\nsecond "line"' }])
  })
})

describe('Phoenix', () => {
  const spans = {
    query: { kind: 'chain', span_id: '051581bf3cb55c13' },
    ChatCompletion: {
      kind: 'llm',
      parent_id: '051581bf3cb55c13',
      model: 'gpt-4o-mini',
      input: [{ role: 'user', content: 'What is RAG?' }],
      output: [{ role: 'assistant', content: 'Retrieval, then generation.' }],
      token_usage: { prompt_tokens: 70, completion_tokens: 12, total_tokens: 82 },
      cost: 0.00042,
    },
    retrieve: {
      kind: 'retrieval',
      status: 'error',
      error: 'no index',
      output: [{ id: 'd1', content: 'RAG retrieves.', score: 0.8 }],
      events: [{ name: 'exception', time_ms: at(0.9) }],
    },
  }

  it.each(['phoenix-trace.json', 'phoenix-dataframe.jsonl'])('%s makes a trace', async (file) => {
    const trace = theTrace(await readExports('phoenix', file))
    expect(trace).toMatchObject({
      trace_id: '5b8aa5a2d2c872e8321cf37308d69df2',
      name: 'query',
      input: 'What is RAG?',
      output: 'Retrieval, then generation.',
      latency_ms: 2000,
      session_id: 'chat-5',
      user_id: 'ada',
      tags: ['prod'],
      metadata: { plan: 'pro' },
      created_at: '2026-10-01T09:00:00.000Z',
    })
    for (const [name, span] of Object.entries(spans)) expect(spanNamed(trace, name)).toMatchObject(span)
  })

  it('annotations in a span are scores of the span; alone they need a trace_id', async () => {
    const { scores } = await readExports('phoenix', 'phoenix-trace.json')
    expect(scores).toMatchObject([
      { name: 'correctness', value: 1, comment: 'correct: as the source says', spanId: '151581bf3cb55c13' },
    ])
    const [ofTrace, ofSpan] = [{ trace_id: 'ab' }, { span_id: 'cd' }].map((of) => ({
      ...of,
      annotation_name: 'good',
      annotator_kind: 'HUMAN',
      'result.score': 0.5,
      'result.label': null,
    }))
    const alone = await readContent('phoenix', `${JSON.stringify(ofTrace)}\n${JSON.stringify(ofSpan)}\n`)
    expect(alone.scores).toMatchObject([{ traceId: 'ab', name: 'good', value: 0.5 }])
    expect(alone.left).toEqual({
      'annotations without a trace_id: export spans together with their annotations': 1,
    })
  })
})

describe('Opik', () => {
  it('an exported trace keeps its spans, scores, errors and thread', async () => {
    const read = await readExports('opik', 'opik-trace.json')
    const trace = theTrace(read)
    const usage = { prompt_tokens: 70, completion_tokens: 12, total_tokens: 82 }
    expect(trace).toMatchObject({
      trace_id: '0190aaaa-0000-7000-8000-000000000065',
      name: 'answer',
      input: 'What is RAG?',
      output: 'Retrieval, then generation.',
      session_id: 'chat-5',
      tags: ['prod'],
      metadata: { plan: 'pro' },
      latency_ms: 2500,
      token_usage: { ...usage, cache_read_tokens: 32, reasoning_tokens: 3 },
    })
    expect(trace.cost).toBeUndefined()
    expect(spanNamed(trace, 'chat_completion_create')).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o-mini-2024-07-18',
      cost: 0.00042,
      output: [{ role: 'assistant', content: 'Retrieval, then generation.' }],
    })
    expect(spanNamed(trace, 'search')).toMatchObject({
      kind: 'tool',
      status: 'error',
      error: 'ValueError: no index',
      events: [{ name: 'exception', attributes: { 'exception.stacktrace': 'Traceback: ...' } }],
    })
    expect(read.scores).toMatchObject([
      { name: 'relevance', value: 0.9, comment: 'on topic', createdMs: at(9) },
      { name: 'grounded', value: 1, spanId: '0190aaaa-0000-7000-8000-000000000067' },
    ])
  })

  it('a trace without spans has its own tokens and cost', async () => {
    const line = {
      id: 't',
      name: 'n',
      startTime: '2026-10-01T09:00:00Z',
      input: 'a',
      output: { output: 'b' },
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      totalEstimatedCost: 0.5,
      errorInfo: { exceptionType: 'KeyError', message: 'x', traceback: '' },
    }
    expect(theTrace(await readContent('opik', JSON.stringify(line)))).toMatchObject({
      input: 'a',
      output: 'b',
      cost: 0.5,
      token_usage: { total_tokens: 7 },
      status: 'error',
    })
  })
})

describe('LangSmith', () => {
  const root = '0190aaaa-0000-7000-8000-000000000001'

  it('runs make a trace whose tokens and costs count once', async () => {
    const trace = theTrace(await readExports('langsmith', 'langsmith-runs.jsonl'))
    expect(trace).toMatchObject({
      trace_id: root,
      name: 'support agent',
      input: 'Where is my parcel?',
      output: 'It arrives on Monday.',
      model: 'gpt-4o-mini',
      session_id: 'thread-7',
      user_id: 'ada',
      tags: ['prod', 'eu'],
      metadata: { plan: 'pro' },
      latency_ms: 3000,
      token_usage: { prompt_tokens: 300, completion_tokens: 40, total_tokens: 340, cache_read_tokens: 64 },
    })
    expect(trace.spans).toMatchObject([
      { span_id: root, kind: 'chain' },
      {
        kind: 'llm',
        model: 'gpt-4o-mini',
        cost: 0.00045,
        input: [{ role: 'user', content: 'Where is my parcel?' }],
        output: [{ tool_calls: [{ function: { name: 'track' } }] }],
        events: [{ name: 'new_token' }],
      },
      { kind: 'tool', status: 'error', error: 'TimeoutError("carrier")' },
      { kind: 'llm', output: 'It arrives on Monday.', cost: 0.0012 },
    ])
  })

  it('runs of the command line tool make the same trace', async () => {
    const line = {
      run_id: 'r2',
      trace_id: 'r1',
      parent_run_id: 'r1',
      name: 'call',
      run_type: 'llm',
      start_time: '2026-10-01T09:00:00.123456789Z',
      end_time: '2026-10-01T09:00:01Z',
      custom_metadata: { ls_model_name: 'm' },
      token_usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      costs: { total_cost: 0.5 },
      inputs: { input: 'a' },
      outputs: { output: 'b' },
    }
    expect(theTrace(await readContent('langsmith', JSON.stringify(line))).spans).toMatchObject([
      { span_id: 'r2', model: 'm', cost: 0.5, token_usage: { total_tokens: 7 }, input: 'a', output: 'b' },
    ])
  })

  it('feedback becomes scores of the trace or the run', async () => {
    const { scores, left } = await readExports('langsmith', 'langsmith-feedback.jsonl')
    expect(scores).toEqual([
      {
        traceId: root,
        id: expect.any(String),
        name: 'helpful',
        value: 1,
        comment: 'quick',
        createdMs: at(60),
      },
    ])
    expect(Object.values(left)).toEqual([1, 1, 1])
  })
})

describe('a file of an export', () => {
  const span = (id: string) =>
    `{"context":{"trace_id":"t","span_id":"${id}"},"name":"}] \\"${id}","start_time":"2026-10-01T09:00:00Z"}`
  const names = ({ traces }: ReadExport) => traces.get('t')?.spans?.map(({ span_id }) => span_id)

  it.each([
    ['lines', `${span('a')}\n\n${span('b')}`, [1, 3]],
    ['a list', `[${span('a')},${span('b')}]\n`, [1, 1]],
    ['a list over several lines', `[\n  ${span('a').replace(',', ',\n')},\n  ${span('b')}\n]\n`, [2, 4]],
    ['objects over several lines', `{"data":\n[${span('a')}]}\n{"data":[${span('b')}]}`, [1, 3]],
  ])('can be %s, in chunks of any size', async (_form, text, lines) => {
    for (const size of [1, 2, 3, 50, 1000]) {
      const read = await readContent('phoenix', text, { size })
      expect(names(read)).toEqual(['a', 'b'])
      expect(read.records.map(({ line }) => line)).toEqual(lines)
    }
  })

  it('gives the line and the field of each error, and keeps the other records', async () => {
    const bad = [
      ['{"context":{"trace_id":"t"},"start_time":"2026-10-01"}', 'context.span_id is required'],
      ['{"context":"t","start_time":"2026-10-01"}', 'context must be an object'],
      [span('x').replace('2026-10-01T09:00:00Z', 'yesterday'), 'start_time must be a time in ISO 8601'],
      ['{"a":1,"b":2}', 'it is no span, trace or annotation of Phoenix; it has a, b'],
      [span('x').replace('2026-10-01T09:00:00Z', '12026-10-01'), 'start_time must be a time in ISO 8601'],
      [span('\\ud800'), 'context.span_id must have at most 200 printable characters'],
      [`{"start_time":${'['.repeat(2000)}${']'.repeat(2000)}}`, 'it nests deeper than 1024 levels'],
      ['[1]', 'it is no JSON object'],
      ['{"trace_id":"t","spans":[{"start_time":0}]}', 'spans[0].context.trace_id is required'],
      ['{', 'the line is not valid JSON'],
    ]
    const text = [span('a'), ...bad.map(([line]) => line), span('b'), ''].join('\n')
    const read = await readContent('phoenix', text)
    expect(names(read)).toEqual(['a', 'b'])
    expect(read.records.filter(({ error }) => error !== undefined)).toEqual(
      bad.map(([, error], index) => ({ line: index + 2, error })),
    )
  })

  it.each([
    ['PAR1', 'Parquet is not read: export JSON Lines, or convert the file'],
    ['PK\u0003\u0004', 'a ZIP archive is not read: unpack it, and import its files'],
  ])('cannot be %j', async (text, error) => {
    await expect(readContent('phoenix', text)).rejects.toThrow(error)
  })

  it('names the command for datasets', async () => {
    for (const [tool, line] of [
      ['langfuse', '{"id":"i","input":"a","expectedOutput":"b","datasetId":"d"}'],
      ['opik', '{"id":"d","name":"n","items":[]}'],
      ['langsmith', '{"id":"i","inputs":{"q":"a"},"outputs":{}}'],
    ] as const) {
      const { records } = await readContent(tool, line)
      expect(records[0]?.error).toContain('cairn import-cases')
    }
  })
})
