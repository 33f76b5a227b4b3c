import { describe, expect, it } from 'vitest'
import { contentOf } from './recognize.ts'

const chat = (value: unknown, kind?: string) => contentOf(value, kind).chat
const shape = (value: unknown) =>
  chat(value)?.map(({ role, parts, calls }) => [
    role,
    ...parts.map((part) => ('text' in part ? part.text : part.kind)),
    ...calls.map(({ name }) => `${name}()`),
  ])

describe('messages', () => {
  it('are recognized in the formats of the common APIs', () => {
    const plain = [
      ['system', 'Be brief'],
      ['user', 'Hello'],
    ]
    const list = [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Hello' },
    ]
    const parts = list.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] }))
    expect(shape(list)).toEqual(plain)
    expect(shape({ model: 'm', messages: list })).toEqual(plain)
    expect(
      shape({ system: 'Be brief', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] }),
    ).toEqual(plain)
    expect(shape({ instructions: 'Be brief', model: 'm', input: 'Hello' })).toEqual(plain)
    expect(shape(parts)).toEqual(plain)
    expect(shape(JSON.stringify(parts))).toEqual(plain)
    expect(shape({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] })).toEqual([['user', 'Hello']])
    expect(shape({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] })).toEqual([
      ['assistant', 'Hi'],
    ])
    expect(shape({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })).toEqual([
      ['assistant', 'Hi'],
    ])
    expect(shape([{ type: 'human', content: 'Hello' }])).toEqual([['user', 'Hello']])
  })

  it('are not recognized in plain texts, other JSON, and the data of tools, retrievals and embeddings', () => {
    for (const value of ['Hello', '{"a":1}', '[1,2]', '[]', '{"role":1}', '12', '', null, 7]) {
      expect(chat(value), String(value)).toBeUndefined()
    }
    const messages = [{ role: 'user', content: 'Hello' }]
    for (const kind of ['tool', 'retrieval', 'embedding']) expect(chat(messages, kind)).toBeUndefined()
    expect(chat(messages, 'llm')).toHaveLength(1)
  })

  it('have images and sounds of safe types only; other parts are shown as JSON', () => {
    const kinds = (...content: unknown[]) =>
      chat([{ role: 'user', content }])?.[0]?.parts.map((part) =>
        part.kind === 'media'
          ? `${part.media.kind} ${part.media.isRemote ? part.media.src : part.media.src.slice(0, 22)}`
          : part.kind,
      )
    const png = 'data:image/png;base64,'
    expect(
      kinds(
        { type: 'image_url', image_url: { url: `${png}aa` } },
        { type: 'input_image', image_url: `${png}aa` },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aa' } },
        { inlineData: { mimeType: 'image/png', data: 'aa' } },
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aa' },
        { type: 'file', mediaType: 'image/png', data: 'aa' },
      ),
    ).toEqual(Array.from({ length: 6 }, () => `image ${png}`))
    expect(
      kinds(
        { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
        { type: 'input_audio', input_audio: { format: 'mp3', data: 'aa' } },
        { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,aa' } },
        { type: 'image_url', image_url: { url: 'javascript:alert(1)' } },
        { type: 'image', source: { type: 'base64', media_type: 'text/html', data: 'aa' } },
        { type: 'file', mediaType: 'image/svg+xml', data: 'aa' },
        { type: 'file', mediaType: 'application/pdf', data: 'aa' },
      ),
    ).toEqual([
      'image https://a.example/b.png',
      'audio data:audio/mp3;base64,',
      ...Array.from({ length: 5 }, () => 'other'),
    ])
  })

  it('keep reasoning and unknown fields apart from the text', () => {
    const [turn] =
      chat([
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'text', text: 'Yes' },
          ],
          finish_reason: 'stop',
          refusal: null,
        },
      ]) ?? []
    expect(turn?.parts).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', text: 'Yes' },
    ])
    expect(turn?.others).toEqual({ finish_reason: 'stop' })
  })
})

describe('calls of tools', () => {
  const call = (id: string | undefined, name: string) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: '{"a":1.50}' },
  })
  const results = (value: unknown) =>
    chat(value)?.flatMap(({ calls }) =>
      calls.map(({ name, result }) => [
        name,
        ...(result?.parts.map((part) => ('text' in part ? part.text : part.kind)) ?? ['no result']),
      ]),
    )

  it('are paired with their results by id, in any order', () => {
    const value = [
      { role: 'assistant', content: null, tool_calls: [call('1', 'x'), call('2', 'y'), call('3', 'z')] },
      { role: 'tool', tool_call_id: '2', content: 'two' },
      { role: 'tool', tool_call_id: '1', content: '{"one":1}' },
    ]
    expect(results(value)).toEqual([
      ['x', 'other'],
      ['y', 'two'],
      ['z', 'no result'],
    ])
    expect(chat(value)).toHaveLength(1)
    expect(JSON.stringify(chat(value)?.[0]?.calls[0]?.args)).toBe('{"a":1.50}')
  })

  it('are paired in the formats of Anthropic, OpenTelemetry, Gemini and the older one of OpenAI', () => {
    const paired = [['add', '2']]
    expect(
      results([
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: '2' }] }],
        },
      ]),
    ).toEqual(paired)
    expect(
      results([
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'add', arguments: {} }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: '2' }] },
      ]),
    ).toEqual(paired)
    expect(
      results({
        contents: [
          { role: 'model', parts: [{ functionCall: { name: 'add', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'add', response: '2' } }] },
        ],
      }),
    ).toEqual(paired)
    expect(
      results([
        { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{}' } },
        { role: 'function', name: 'add', content: '2' },
      ]),
    ).toEqual(paired)
  })

  it('of the same id get the newest waiting call, and results without a call stay messages', () => {
    const value = [
      { role: 'tool', tool_call_id: 'x', content: 'early' },
      { role: 'assistant', content: null, tool_calls: [call('1', 'x')] },
      { role: 'tool', tool_call_id: '1', content: 'first' },
      { role: 'assistant', content: null, tool_calls: [call('1', 'x')] },
      { role: 'tool', tool_call_id: '1', content: 'second' },
      { role: 'tool', tool_call_id: '1', content: 'third' },
    ]
    expect(results(value)).toEqual([
      ['x', 'first'],
      ['x', 'second'],
    ])
    expect(chat(value)?.map(({ role }) => role)).toEqual(['tool', 'assistant', 'assistant', 'tool'])
  })

  it('have the definitions of their tools, from the request or from the attributes of the span', () => {
    const parameters = { type: 'object' }
    const wanted = [{ name: 'add', description: 'Adds', parameters }]
    const body = (tool: unknown) => contentOf({ messages: [], tools: [tool] }).tools
    expect(body({ type: 'function', function: { name: 'add', description: 'Adds', parameters } })).toEqual(
      wanted,
    )
    expect(body({ name: 'add', description: 'Adds', input_schema: parameters })).toEqual(wanted)
    expect(body({ functionDeclarations: [{ name: 'add', description: 'Adds', parameters }] })).toEqual(wanted)
    const flat = { name: 'add', description: 'Adds', inputSchema: parameters }
    const attributes = (given: Record<string, unknown>) => contentOf('Hello', 'llm', given).tools
    expect(attributes({ 'gen_ai.tool.definitions': JSON.stringify([flat]) })).toEqual(wanted)
    expect(attributes({ 'ai.prompt.tools': [JSON.stringify(flat)] })).toEqual(wanted)
    expect(
      attributes({
        'llm.tools.0.tool.json_schema': JSON.stringify({
          type: 'function',
          function: { name: 'add', description: 'Adds', parameters },
        }),
      }),
    ).toEqual(wanted)
    expect(attributes({ tools: 'none' })).toEqual([])
  })
})

describe('hostile contents', () => {
  it('that are nested too deep stay JSON or text', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(contentOf(deep).chat).toBeUndefined()
    expect(contentOf(deep, 'retrieval').passages).toBeUndefined()
    const call = `[{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"x","arguments":${deep}}}]}]`
    expect(contentOf(call).chat).toBeUndefined()
    const source = `${'{"source":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    expect(contentOf(`[{"role":"user","content":[${source}]}]`).chat?.[0]?.parts[0]?.kind).toBe('other')
    const tools = `{"tools":[${'{"function":'.repeat(50_000)}1${'}'.repeat(50_000)}]}`
    expect(contentOf(tools).tools).toEqual([])
  })

  it('with names of object prototypes are ordinary', () => {
    expect(shape('[{"role":"__proto__","content":"a"},{"role":"constructor","content":"b"}]')).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })
})
