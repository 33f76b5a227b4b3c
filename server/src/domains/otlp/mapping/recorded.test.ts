import { describe, expect, it } from 'vitest'
import {
  answer,
  assistant,
  cached,
  named,
  reasoned,
  recorded,
  spansOf,
  system,
  twice,
  usage,
  user,
  weatherCall,
} from '../../../../test/otlp-spans.ts'

describe('recorded spans become traces', () => {
  it('of the AI SDK 7: an agent with a tool does not count the tokens of its calls twice', () => {
    const trace = recorded('ai-sdk-7', 'invoke_agent gpt-4o')
    expect(trace).toMatchObject({
      input: 'Weather in Paris?',
      output: answer,
      model: 'gpt-4o-2026-01-01',
      status: 'success',
      token_usage: { ...twice, cache_read_tokens: 16 },
      custom_attributes: { 'service.name': 'shop' },
    })
    const [first, second] = named(trace, 'chat gpt-4o')
    expect(first).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o-2026-01-01',
      token_usage: { ...usage, ...cached },
      input: [user('Weather in Paris?')],
      output: [{ role: 'assistant', content: null, tool_calls: [weatherCall] }],
    })
    expect(second?.input).toEqual([
      user('Weather in Paris?'),
      { role: 'assistant', content: null, tool_calls: [weatherCall] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"c":21}' },
    ])
    const [tool] = named(trace, 'execute_tool weather')
    expect(tool).toMatchObject({ kind: 'tool', input: { city: 'Paris' }, output: { c: 21 } })
    const [agent] = named(trace, 'invoke_agent gpt-4o')
    expect(agent).toMatchObject({ kind: 'agent', token_usage: { prompt_tokens: 42 } })
    expect(agent?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.agent.name': 'weather-agent',
      'gen_ai.response.finish_reasons': ['stop'],
    })
    const embedding = recorded('ai-sdk-7', 'embeddings text-embedding-3-small')
    expect(embedding).toMatchObject({
      model: 'text-embedding-3-small',
      token_usage: { prompt_tokens: 6, total_tokens: 6 },
    })
    expect(spansOf(embedding).map(({ kind }) => kind)).toEqual(['embedding', 'embedding'])
  })

  it.each(['ai-sdk-5', 'ai-sdk-6'])('of %s: messages, tools and metadata', (file) => {
    const trace = recorded(file, 'ai.generateText')
    expect(trace).toMatchObject({
      output: answer,
      model: 'gpt-4o-2026-01-01',
      session_id: 's-9',
      user_id: 'u-7',
      tags: ['beta'],
      metadata: { plan: 'pro' },
      token_usage: twice,
      version: '2.1.0',
      environment: 'staging',
    })
    expect(JSON.parse(trace.input)).toEqual([system('Be short'), user('Weather in Paris?')])
    const [first, second] = named(trace, 'ai.generateText.doGenerate')
    expect(first).toMatchObject({ kind: 'llm', input: [system('Be short'), user('Weather in Paris?')] })
    expect(first?.output).toMatchObject([{ role: 'assistant', tool_calls: [weatherCall] }])
    expect(second?.input).toMatchObject([
      system('Be short'),
      user('Weather in Paris?'),
      { role: 'assistant', tool_calls: [weatherCall] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"c":21}' },
    ])
    expect(named(trace, 'ai.toolCall')).toMatchObject([
      { kind: 'tool', input: { city: 'Paris' }, output: { c: 21 } },
    ])
    expect(named(trace, 'ai.generateText')).toMatchObject([{ kind: 'agent', output: [assistant(answer)] }])
    const stream = recorded(file, 'ai.streamText')
    expect(stream.token_usage).toEqual({ ...usage, ...cached, ...reasoned })
    expect(named(stream, 'ai.streamText.doStream')[0]?.events).toHaveLength(2)
    const embed = recorded(file, 'ai.embed')
    expect(embed).toMatchObject({ input: 'hello', token_usage: { total_tokens: 6 } })
    expect(named(embed, 'ai.embed.doEmbed')).toMatchObject([{ kind: 'embedding', input: ['hello'] }])
  })

  it('of OpenInference for OpenAI', () => {
    const trace = recorded('openinference-openai', 'question')
    expect(trace).toMatchObject({
      input: 'Capital of France?',
      output: 'Paris',
      session_id: 's-9',
      user_id: 'u-7',
      tags: ['beta'],
      metadata: { plan: 'pro' },
      token_usage: { ...twice, cache_read_tokens: 16, reasoning_tokens: 6 },
    })
    const [chat, stream] = named(trace, 'OpenAI Chat Completions')
    expect(chat).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o-2026-01-01',
      input: [system('Be short'), user('Capital of France?')],
      output: [{ role: 'assistant', content: null, tool_calls: [weatherCall] }],
      token_usage: { ...usage, ...cached, ...reasoned },
    })
    // The request has more than its messages, so it stays an attribute.
    expect(chat?.attributes?.['input.value']).toContain('"tools"')
    expect(stream).toMatchObject({ input: [user('Capital of France?')], output: [assistant(answer)] })
    expect(named(trace, 'OpenAI Embeddings')).toMatchObject([{ kind: 'embedding', input: 'hello' }])
    expect(named(trace, 'OpenAI Responses')).toMatchObject([
      { input: [user('Capital of France?')], output: [assistant(answer)] },
    ])
  })

  it('of OpenInference for LangChain', () => {
    const trace = recorded('openinference-langchain', 'ChatOpenAI')
    const [chat] = spansOf(trace)
    expect(chat).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o',
      input: [system('Be short'), user('Weather in Paris?')],
      output: [{ role: 'assistant', content: '', tool_calls: [weatherCall] }],
      token_usage: { ...usage, ...cached, ...reasoned },
    })
    expect(recorded('openinference-langchain', 'RunnableSequence')).toMatchObject({
      input: 'Weather in Paris?',
      output: answer,
      token_usage: { ...usage, ...cached, ...reasoned },
    })
    expect(recorded('openinference-langchain', 'question')).toMatchObject({
      session_id: 's-9',
      metadata: { plan: 'pro' },
    })
    const [retriever] = spansOf(recorded('openinference-langchain', 'R'))
    expect(retriever).toMatchObject({ kind: 'retrieval', input: 'Weather in Paris?' })
  })

  it('of Langfuse: costs, tags, version, and a failed tool that does not fail the trace', () => {
    const trace = recorded('langfuse-5', 'handle-question')
    expect(trace).toMatchObject({
      input: '{"question":"Capital of France?"}',
      output: 'Paris',
      status: 'success',
      version: '1.2.0',
      environment: 'staging',
      session_id: 's-9',
      user_id: 'u-7',
      tags: ['beta', 'eu'],
      metadata: { tenant: 'acme', plan: 'pro' },
      token_usage: usage,
      model: 'gpt-4o',
    })
    expect(named(trace, 'answer')).toMatchObject([
      { kind: 'llm', cost: 0.0012, input: [user('Capital of France?')], output: [assistant('Paris')] },
    ])
    expect(named(trace, 'weather')).toMatchObject([{ kind: 'tool', status: 'error', error: 'timeout' }])
    // Shown by the trace; the release is not, because the version came first.
    expect(named(trace, 'answer')[0]?.attributes).not.toHaveProperty('user.id')
    expect(named(trace, 'answer')[0]?.attributes).toHaveProperty('langfuse.release', 'r1')
  })

  it('of OpenLLMetry', () => {
    const trace = recorded('openllmetry', 'joke.workflow')
    expect(trace).toMatchObject({
      input: '{"args":["Paris"],"kwargs":{}}',
      output: 'Paris',
      user_id: 'u-7',
      model: 'gpt-4o-2026-01-01',
      token_usage: twice,
    })
    const [first, , image] = named(trace, 'chat gpt-4o')
    expect(first?.input).toEqual([system('Be short'), user('Weather in Paris?')])
    expect(image?.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
  })

  it('of Genkit: the tokens are in the output of the model', () => {
    const trace = recorded('genkit', 'question')
    expect(trace).toMatchObject({
      input: 'Weather in Paris?',
      output: answer,
      model: 'openai/gpt-4o',
      token_usage: twice,
    })
    const [, second] = named(trace, 'openai/gpt-4o')
    expect(second).toMatchObject({
      kind: 'llm',
      input: [
        system('Be short'),
        user('Weather in Paris?'),
        { role: 'assistant', content: null, tool_calls: [weatherCall] },
        { role: 'tool', tool_call_id: 'call_1', name: 'weather', content: '{"c":21}' },
      ],
      output: [assistant(answer)],
    })
    expect(named(trace, 'weather')).toMatchObject([{ kind: 'tool', input: { city: 'Paris' } }])
  })

  it('of Mastra', () => {
    const trace = recorded('mastra', 'invoke_agent weather-agent')
    expect(trace).toMatchObject({
      input: 'Weather in Paris?',
      output: answer,
      model: 'gpt-4o-2026-01-01',
      session_id: 's-9',
      user_id: 'u-7',
      tags: ['beta'],
      metadata: { plan: 'pro' },
      token_usage: { ...twice, cache_read_tokens: 16, reasoning_tokens: 6 },
    })
    expect(named(trace, 'chat gpt-4o').map(({ kind }) => kind)).toEqual(['llm', 'llm'])
    expect(named(trace, 'model_generation gpt-4o')).toMatchObject([
      { input: [{ role: 'system', content: 'Be short' }, { role: 'user' }], output: [{ role: 'assistant' }] },
    ])
  })

  it('of LangSmith', () => {
    const trace = recorded('langsmith', 'question')
    expect(trace).toMatchObject({
      model: 'gpt-4o',
      session_id: 's-9',
      metadata: { plan: 'pro' },
      token_usage: { ...usage, ...cached, ...reasoned },
    })
    expect(spansOf(trace)).toMatchObject([
      {
        kind: 'llm',
        input: [system('Be short'), user('Weather in Paris?')],
        output: [{ role: 'assistant', tool_calls: [weatherCall] }],
      },
    ])
  })
})
