import { describe, expect, it } from 'vitest'
import {
  assistant,
  cached,
  mapped,
  otlpSpan,
  system,
  toTrace,
  usage,
  user,
  weatherCall,
} from '../../../../test/otlp-spans.ts'
import type { Attributes } from '../span.ts'

describe('attributes of other generations and libraries', () => {
  it('OpenTelemetry up to 1.36: flattened prompts, and messages in events', () => {
    const flat = mapped({
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.prompt_tokens': 21,
      'gen_ai.usage.completion_tokens': '9',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be short',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': '[{"type":"text","text":"Hello"}]',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.finish_reason': 'tool_calls',
      'gen_ai.completion.0.tool_calls.0.id': 'call_1',
      'gen_ai.completion.0.tool_calls.0.name': 'weather',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Paris"}',
    })
    expect(flat).toMatchObject({
      kind: 'llm',
      token_usage: usage,
      input: [system('Be short'), user('Hello')],
      output: [{ role: 'assistant', content: null, tool_calls: [weatherCall], finish_reason: 'tool_calls' }],
    })
    expect(flat.attributes).toEqual({ 'gen_ai.system': 'openai', 'gen_ai.usage.completion_tokens': '9' })
    const events = [
      { name: 'gen_ai.system.message', timeMs: 1, attributes: { content: 'Be short' } },
      {
        name: 'gen_ai.user.message',
        timeMs: 2,
        attributes: { 'gen_ai.event.content': '{"content":"Hello"}' },
      },
      {
        name: 'gen_ai.choice',
        timeMs: 3,
        attributes: { index: 0, message: '{"content":"Hi","role":"assistant"}' },
      },
    ]
    const details = {
      name: 'gen_ai.client.inference.operation.details',
      timeMs: 1,
      attributes: {
        'gen_ai.system_instructions': '[{"type":"text","content":"Be short"}]',
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hello' }] }],
        'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Hi"}]}]',
      },
    }
    expect(mapped({ 'gen_ai.operation.name': 'chat' }, { events: [details] })).toMatchObject({
      input: [system('Be short'), user('Hello')],
      output: [assistant('Hi')],
    })
    expect(mapped({ 'gen_ai.operation.name': 'chat' }, { events })).toMatchObject({
      input: [system('Be short'), user('Hello')],
      output: [assistant('Hi')],
      events: events.map(({ name, timeMs: time_ms, attributes }) => ({ name, time_ms, attributes })),
    })
  })

  it('OpenTelemetry 1.37 and later: structured messages, system instructions, tokens of caches and audio', () => {
    const span = mapped({
      'gen_ai.operation.name': 'chat',
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be short' }],
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hello' }] }],
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"Hi"}]}]',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
      'gen_ai.usage.cache_creation.input_tokens': 10,
      'gen_ai.usage.reasoning.output_tokens': 5,
      'gen_ai.usage.audio.input_tokens': 4,
      'gen_ai.usage.audio.output_tokens': 3,
      'gen_ai.usage.text.input_tokens': 96,
    })
    expect(span).toMatchObject({
      input: [system('Be short'), user('Hello')],
      output: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', content: 'hm' },
            { type: 'text', text: 'Hi' },
          ],
        },
      ],
      attributes: { 'gen_ai.operation.name': 'chat' },
    })
    expect(span.token_usage).toEqual({
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      cache_read_tokens: 60,
      cache_write_tokens: 10,
      reasoning_tokens: 5,
      input_audio_tokens: 4,
      output_audio_tokens: 3,
      input_text_tokens: 96,
    })
    expect(mapped({ 'gen_ai.usage.cache_write.input_tokens': 7 }).token_usage).toEqual({
      cache_write_tokens: 7,
    })
  })

  it('MLflow: texts are JSON', () => {
    expect(
      mapped({
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': '{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}',
        'mlflow.spanOutputs': '{"choices":[{"message":{"role":"assistant","content":"Hi"}}]}',
        'mlflow.chat.tokenUsage': '{"input_tokens":21,"output_tokens":9,"total_tokens":30}',
        'mlflow.llm.model': '"gpt-4o"',
      }),
    ).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o',
      input: [user('Hello')],
      output: [assistant('Hi')],
      token_usage: usage,
    })
    const trace = toTrace([
      otlpSpan({ attributes: { 'mlflow.spanInputs': '"Hello"', 'mlflow.trace.user': 'u' } }),
    ])
    expect(trace).toMatchObject({ input: 'Hello', user_id: 'u' })
  })

  it('Logfire and Pydantic AI: events in an attribute, tools, costs', () => {
    const events = [
      { 'event.name': 'gen_ai.user.message', role: 'user', content: 'Hello' },
      { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'Hi' } },
    ]
    expect(
      mapped({
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 9,
        'gen_ai.usage.details.cache_read_tokens': 8,
        'operation.cost': 0.5,
        events: JSON.stringify(events),
      }),
    ).toMatchObject({
      input: [user('Hello')],
      output: [assistant('Hi')],
      cost: 0.5,
      token_usage: { ...usage, ...cached },
    })
    expect(
      mapped({ 'gen_ai.tool.name': 'weather', tool_arguments: '{"city":"Paris"}', tool_response: '21' }),
    ).toMatchObject({ kind: 'tool', input: { city: 'Paris' }, output: '21' })
    const agent = {
      agent_name: 'a',
      final_result: 'Hi',
      'pydantic_ai.all_messages': JSON.stringify([user('Hello'), assistant('Hi')]),
    }
    const { final_result: _, ...withoutResult } = agent
    const input = [user('Hello')]
    expect(mapped(agent)).toMatchObject({ kind: 'agent', input, output: [assistant('Hi')] })
    expect(mapped(withoutResult)).toMatchObject({ kind: 'agent', input, output: [assistant('Hi')] })
    expect(mapped({ agent_name: 'a', final_result: 'Hi' })).toMatchObject({ output: 'Hi' })
  })

  it('OpenInference: retrieved documents, contents of messages, and costs', () => {
    expect(
      mapped({
        'openinference.span.kind': 'RETRIEVER',
        'input.value': 'Hello',
        'retrieval.documents.1.document.content': 'second',
        'retrieval.documents.0.document.id': 'd1',
        'retrieval.documents.0.document.content': 'first',
        'retrieval.documents.0.document.score': 0.5,
        'retrieval.documents.0.document.metadata': '{"page":1}',
      }),
    ).toMatchObject({
      kind: 'retrieval',
      output: [{ id: 'd1', content: 'first', score: 0.5, metadata: { page: 1 } }, { content: 'second' }],
      attributes: { 'openinference.span.kind': 'RETRIEVER' },
    })
    expect(
      mapped({
        'openinference.span.kind': 'LLM',
        'llm.cost.prompt': 0.25,
        'llm.cost.completion': 0.5,
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.contents.0.message_content.text': 'Look',
        'llm.input_messages.0.message.contents.1.message_content.type': 'image',
        'llm.input_messages.0.message.contents.1.message_content.image.image.url':
          'https://example.com/a.png',
      }),
    ).toMatchObject({
      cost: 0.75,
      input: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
      ],
    })
  })

  it.each<[Attributes, string | undefined]>([
    [{ 'gen_ai.operation.name': 'text_completion' }, 'llm'],
    [{ 'gen_ai.operation.name': 'generate_content' }, 'llm'],
    [{ 'gen_ai.operation.name': 'embeddings' }, 'embedding'],
    [{ 'gen_ai.operation.name': 'retrieval' }, 'retrieval'],
    [{ 'gen_ai.operation.name': 'create_agent' }, 'agent'],
    [{ 'gen_ai.operation.name': 'invoke_workflow' }, 'chain'],
    [{ 'gen_ai.tool.call.id': 'x' }, 'tool'],
    [{ 'gen_ai.retrieval.query.text': 'x', 'gen_ai.request.model': 'm' }, 'retrieval'],
    [{ 'gen_ai.request.model': 'm' }, 'llm'],
    [{ 'openinference.span.kind': 'RERANKER' }, 'retrieval'],
    [{ 'openinference.span.kind': 'GUARDRAIL' }, 'chain'],
    [{ 'traceloop.span.kind': 'workflow' }, 'chain'],
    [{ 'http.request.method': 'GET' }, undefined],
    [{ 'openinference.span.kind': 'constructor' }, undefined],
  ])('%j has the kind %s', (attributes, kind) => {
    expect(mapped(attributes).kind).toBe(kind)
  })

  it('usage details of Langfuse are apart from each other, unless their total says otherwise', () => {
    const usageOf = (details: object) =>
      mapped({ 'langfuse.observation.usage_details': JSON.stringify(details) }).token_usage
    expect(usageOf({ input: 10, output: 5, cache_read_input_tokens: 90, output_reasoning: 3 })).toEqual({
      prompt_tokens: 100,
      completion_tokens: 8,
      total_tokens: 108,
      cache_read_tokens: 90,
      reasoning_tokens: 3,
    })
    expect(usageOf({ input: 100, output: 8, total: 108, input_cached_tokens: 90 })).toEqual({
      prompt_tokens: 100,
      completion_tokens: 8,
      total_tokens: 108,
      cache_read_tokens: 90,
    })
    expect(
      usageOf({ prompt_tokens: 100, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 90 } }),
    ).toEqual({ prompt_tokens: 100, completion_tokens: 8, total_tokens: 108, cache_read_tokens: 90 })
  })
})
