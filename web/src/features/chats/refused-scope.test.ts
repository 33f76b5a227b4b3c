import { describe, expect, it } from 'vitest'
import { refusedScope } from './refused-scope.ts'

const scopes = ['team', 'a b', 'id', 'team', ''].map((name) => ({
  name,
  type: 'string' as const,
  required: false,
}))

describe('the scope that a rejection is about', () => {
  it.each([
    ['invalid scope name "a b": it must start with a letter', 1],
    ['invalid scope name "": it must start with a letter', 4],
    ['the scope name id is reserved', 2],
    ['scopes names team twice', 3],
    ['scopes[2].description must NOT have more than 10000 characters', 2],
  ])('%s', (message, index) => {
    expect(refusedScope(message, scopes)).toBe(index)
  })

  it('is undefined for a message about all scopes', () => {
    expect(refusedScope('scopes must not name more than 20 scopes', scopes)).toBeUndefined()
    expect(refusedScope('the database does not answer', scopes)).toBeUndefined()
  })
})
