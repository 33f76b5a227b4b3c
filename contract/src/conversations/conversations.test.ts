import { describe, expect, it } from 'vitest'
import { lastAsked, lastSaid, messagesIn, parseJson } from './index.ts'

const of = (text: string) => messagesIn(parseJson(text))

describe('messages in the input or output of a trace', () => {
  it('are not looked for in a text of too many values', () => {
    const asked = (values: number, text = 'Hi \\" [,') =>
      JSON.stringify([{ role: 'user', content: text, more: Array(values).fill(1) }])
    expect(lastSaid(asked(49_000))).toBe('Hi \\" [,')
    expect(lastSaid(asked(10, ','.repeat(60_000)))).toBe(','.repeat(60_000))
    expect(lastSaid(asked(50_001))).toBe(asked(50_001))
  })

  it('are read in the formats of the common APIs', () => {
    const user = { role: 'user', content: 'Hello' }
    expect(of('[{"role":"user","content":"Hello"}]')).toEqual([user])
    expect(
      of('{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}'),
    ).toEqual([user])
    expect(of('{"system":"Be brief","messages":[{"role":"user","content":"Hello"}]}')).toEqual([
      { role: 'system', content: 'Be brief' },
      user,
    ])
    expect(
      of('{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}}]}'),
    ).toEqual([{ role: 'assistant', content: [{ id: '1' }] }])
    const image = { type: 'image_url', image_url: { url: 'x' } }
    expect(of('{"role":"user","content":["Hello",{"type":"image_url","image_url":{"url":"x"}}]}')).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }, image] },
    ])
    expect(of('{"contents":[{"role":"model","parts":[{"text":"Hello"}]}]}')).toEqual([
      { ...user, role: 'assistant' },
    ])
    const parts = '[{"type":"tool_call","id":"c","name":"add","arguments":{"a":1}}]'
    expect(of(`[{"role":"assistant","parts":${parts}}]`)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
      },
    ])
    const result = '[{"type":"tool_result","tool_use_id":"c","content":"2"}]'
    expect(of(`[{"role":"user","content":${result}}]`)).toEqual([
      { role: 'tool', tool_call_id: 'c', content: '2' },
    ])
  })

  it('are not read from values that are nested too deep', () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(of(deep(100_000))).toBeUndefined()
    expect(of(`[{"role":"a","tool_calls":[{"name":"b","args":${deep(100_000)}}]}]`)).toBeUndefined()
    const text = deep(100_000)
    expect(lastAsked(text)).toBe(text)
    expect(lastSaid(text)).toBe(text)
  })

  it('end with the last message', () => {
    expect(lastSaid('[{"role":"user","content":"Hello"},{"role":"assistant","content":""}]')).toBe('Hello')
    expect(lastSaid('{"a":1}')).toBe('{"a":1}')
  })

  it('include the last user message, even if other messages follow it', () => {
    const user = '{"role":"user","content":[{"type":"text","text":"Where is it?"},{"type":"image_url"}]}'
    const first = '{"role":"user","content":"Hello"}'
    const call = '{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}'
    const tool = '{"role":"tool","content":"42 results"}'
    expect(lastAsked(`[{"role":"system","content":"Be brief"},${first},${user},${call},${tool}]`)).toBe(
      'Where is it?',
    )
    expect(lastAsked(`{"messages":[${first},{"role":"user","content":""}]}`)).toBe('Hello')
    expect(lastAsked(`[${call},${tool}]`)).toBe('42 results')
    for (const text of [`[${call}]`, '{"a":1}', 'Where is it?', '[{"role":'])
      expect(lastAsked(text)).toBe(text)
  })

  it('are not read from other JSON, and JSON is not read from plain text', () => {
    for (const text of [
      '[]',
      '{}',
      '[1]',
      '[{"role":1}]',
      '[{"role":"user"},{"name":"x"}]',
      '{"messages":"none"}',
    ]) {
      expect(of(text), text).toBeUndefined()
    }
    for (const text of ['Hello', '12', 'null', '"text"', '{broken', ''])
      expect(parseJson(text), text).toBeUndefined()
    expect(parseJson(' {"a":1}')).toEqual({ a: 1 })
  })
})
