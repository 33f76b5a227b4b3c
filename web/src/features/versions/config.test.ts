import { describe, expect, it } from 'vitest'
import { checkConfig, checkDraft, draftOf, nextVersion } from './config.ts'

describe('the configuration of a version', () => {
  it.each([
    ['', undefined],
    ['{}', {}],
    ['{"model":"m","prompt":"p","temperature":0,"max_tokens":1}', undefined],
  ])('may be %s', (text, expected) => {
    const checked = checkConfig(text)
    expect(checked).toHaveProperty('config')
    if (expected) expect(checked).toEqual({ config: expected })
  })

  it.each([
    ['{', 'JSON'],
    ['[]', 'object'],
    ['null', 'object'],
    ['{"modle":"m"}', 'modle'],
    ['{"model":""}', 'model'],
    ['{"prompt":1}', 'prompt'],
    ['{"temperature":2.1}', 'temperature'],
    ['{"temperature":"1"}', 'temperature'],
    ['{"max_tokens":0}', 'max_tokens'],
    ['{"max_tokens":1.5}', 'max_tokens'],
  ])('%s is rejected with the name of the wrong field', (text, name) => {
    expect(checkConfig(text)).toEqual({ error: expect.stringContaining(name) })
  })

  it('is the same after a form, also a prompt with line breaks, and empty fields are left out', () => {
    const config = { model: 'm', prompt: 'one\n\ttwo "three"\n', temperature: 0, max_tokens: 5 }
    expect(checkDraft(draftOf(config))).toEqual({ config })
    expect(checkDraft(draftOf({ prompt: 'p' }))).toEqual({ config: { prompt: 'p' } })
    expect(checkDraft(draftOf(null))).toEqual({ config: undefined })
    expect(checkDraft({ ...draftOf(null), temperature: 'warm' })).toEqual({
      error: expect.stringContaining('temperature'),
    })
    expect(checkDraft({ ...draftOf(null), max_tokens: '0' })).toEqual({
      error: expect.stringContaining('max_tokens'),
    })
  })

  it('has a next version', () => {
    expect(nextVersion(undefined)).toBe('1.0.0')
    expect(nextVersion('1.9.3')).toBe('1.10.0')
    expect(nextVersion('2.0.0-rc.1')).toBe('2.1.0')
  })
})
