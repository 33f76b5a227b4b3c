import { describe, expect, it } from 'vitest'
import { SharedBudget } from './shared-budget.ts'

describe('a budget that tenants share', () => {
  it('gives a project at most half of it, and accepts a returned part once', () => {
    const budget = new SharedBudget(100)
    const first = budget.take(['a'], 30)
    expect(first).toBeDefined()
    expect(budget.take(['a'], 21)).toBeUndefined()
    expect(budget.take(['a'], 20)).toBeDefined()
    first?.()
    first?.()
    expect(budget.used).toBe(20)
    expect(budget.take(['a'], 30)).toBeDefined()
    expect(budget.take(['a'], 1)).toBeUndefined()
  })

  it('gives a user at most half of the part of its project', () => {
    const budget = new SharedBudget(100)
    expect(budget.take(['a', 'ann'], 20)).toBeDefined()
    expect(budget.take(['a', 'ann'], 6)).toBeUndefined()
    expect(budget.take(['a', 'ben'], 25)).toBeDefined()
    expect(budget.take(['a', 'cy'], 6)).toBeUndefined()
    expect(budget.take(['a'], 5)).toBeDefined()
  })

  it('always admits the first request of a project', () => {
    const budget = new SharedBudget(100)
    expect(budget.take(['a'], 1000)).toBeDefined()
    expect(budget.take(['a'], 1)).toBeUndefined()
    expect(budget.take(['b'], 80)).toBeDefined()
  })

  it('still has an equal part for a project if others have taken everything', () => {
    const budget = new SharedBudget(100)
    for (const name of ['a', 'b']) expect(budget.take([name], 50)).toBeDefined()
    expect(budget.take(['c'], 1)).toBeDefined()
    expect(budget.take(['c'], 32)).toBeDefined()
    expect(budget.take(['c'], 1)).toBeUndefined()
    expect(budget.take(['a'], 1)).toBeUndefined()
  })
})
