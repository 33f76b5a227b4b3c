import { describe, expect, it } from 'vitest'
import { lastAsked, lastSaid, messagesOf, parseJson } from './index.ts'

const of = (text: string) => messagesOf(parseJson(text))

describe('messages in the input or output of a trace', () => {
  it('are read in the formats of the common APIs', () => {
    const user = { role: 'user', text: 'Hello', others: [] }
    expect(of('[{"role":"user","content":"Hello"}]')).toEqual([user])
    expect(
      of('{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}'),
    ).toEqual([user])
    expect(of('{"system":"Be brief","messages":[{"role":"user","content":"Hello"}]}')).toEqual([
      { role: 'system', text: 'Be brief', others: [] },
      user,
    ])
    expect(
      of('{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}}]}'),
    ).toEqual([{ role: 'assistant', text: '', others: [{ id: '1' }] }])
    expect(of('{"role":"user","content":["Hello",{"type":"image_url","image_url":{"url":"x"}}]}')).toEqual([
      { ...user, others: [{ type: 'image_url', image_url: { url: 'x' } }] },
    ])
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
