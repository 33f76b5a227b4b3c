import { CairnError } from '@cairn/contract'
import { describe, expect, it } from 'vitest'
import { checkDefinitions, checkRequired, checkScopes, matchesScopes, parseScopes } from './rules.ts'

function refusal(values: unknown): string {
  try {
    checkScopes(values, 'scope_values')
  } catch (error) {
    if (error instanceof CairnError && error.status === 400) return error.message
  }
  return 'accepted'
}

describe('the scope rules', () => {
  it.each(['1st', 'a b', 'ä', '', '_x', 'a'.repeat(65), 'x.y', '__proto__'])('reject the name %j', (name) => {
    expect(refusal(JSON.parse(`{${JSON.stringify(name)}: 1}`))).toMatch('invalid scope name')
  })

  it.each(['id', 'text', 'chat_id', 'file_id', 'filename'])('reject the reserved name %s', (name) => {
    expect(refusal({ [name]: 1 })).toContain(name)
  })

  it.each([[null], [[1]], [{}]])('reject the value %j with the name of the scope', (value) => {
    expect(refusal({ team: value })).toContain('team')
  })

  it('reject a string above 255 characters, and accept one of 255', () => {
    expect(refusal({ team: 'x'.repeat(256) })).toContain('team')
    expect(refusal({ team: 'x'.repeat(255) })).toBe('accepted')
  })

  it('reject more than 20 scopes', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, i]))
    expect(refusal(many(20))).toBe('accepted')
    expect(refusal(many(21))).toContain('20')
  })

  it.each(['[1]', '"x"', '{', 'null', '1'])('reject the form text %s', (text) => {
    expect(() => parseScopes(text, 'scope_values')).toThrow('scope_values')
  })

  it('accept 0 and false as values', () => {
    expect(checkScopes({ b: 0, a: false }, 'scope_values')).toEqual({ a: false, b: 0 })
  })

  it('accept only configured scopes with values of their type', () => {
    const definitions = checkDefinitions([{ name: 'team' }, { name: 'year', type: 'number', required: true }])
    const check = (values: object) => checkScopes(values, 'scope_filters', definitions)
    expect(check({ year: 0, team: '' })).toEqual({ team: '', year: 0 })
    expect(() => check({ floor: 1 })).toThrow('scope_filters names floor')
    expect(() => check({ constructor: 'x' })).toThrow('scope_filters names constructor')
    expect(() => check({ year: true })).toThrow('scope year expects number, got boolean')
    expect(() => check({ team: [] })).toThrow('scope team expects string, got list')
    expect(() => checkRequired({ team: 'a' }, 'scope_values', definitions)).toThrow('missing: year')
    expect(() => checkRequired({ year: 0 }, 'scope_values', definitions)).not.toThrow()
  })

  it('report a missing required scope whose name every object inherits', () => {
    const definitions = checkDefinitions([{ name: 'constructor', required: true }])
    expect(() => checkRequired({}, 'scope_values', definitions)).toThrow('missing: constructor')
  })

  it('match values exactly, including their type', () => {
    expect(matchesScopes({ team: '1', year: 2024 }, { team: '1' })).toBe(true)
    expect(matchesScopes({ team: '1' }, { team: 1 })).toBe(false)
    expect(matchesScopes({ flag: false }, { flag: 0 })).toBe(false)
    expect(matchesScopes({}, { team: '1' })).toBe(false)
    expect(matchesScopes({ team: 'Blue' }, { team: 'blue' })).toBe(false)
    expect(matchesScopes({}, {})).toBe(true)
  })

  it('do not treat inherited properties as scopes', () => {
    expect(matchesScopes({}, { constructor: 'x' })).toBe(false)
  })
})
