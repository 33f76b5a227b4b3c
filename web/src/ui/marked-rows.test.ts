import { describe, expect, it } from 'vitest'
import { withRows } from './marked-rows.ts'

describe('marked rows', () => {
  it('gain and lose rows', () => {
    expect([...withRows(new Set(['a']), ['b', 'c'], true)]).toEqual(['a', 'b', 'c'])
    expect([...withRows(new Set(['a', 'b']), ['b', 'c'], false)]).toEqual(['a'])
  })

  it('are never more than the maximum', () => {
    expect([...withRows(new Set(['a']), ['b', 'c', 'd'], true, 3)]).toEqual(['a', 'b', 'c'])
    expect([...withRows(new Set(['a', 'b']), ['b'], true, 2)]).toEqual(['a', 'b'])
  })
})
