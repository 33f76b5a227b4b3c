import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'

describe('a memory budget', () => {
  let resident: number
  let relieved: number
  let budget: MemoryBudget

  beforeEach(() => {
    resident = 101
    relieved = 0
    budget = new MemoryBudget({
      bytes: 100,
      resident: () => resident,
      relieve: () => relieved++,
      refusal: () => new Error('refused'),
    })
  })

  it('admits everything within the budget', () => {
    resident = 100
    for (let i = 0; i < 100; i++) budget.enter('a')
    expect(budget.status()).toEqual({ residentBytes: 100, budgetBytes: 100, heavy: 100, refused: 0 })
  })

  it('above the budget, admits one heavy request of each project, and the next after its end', () => {
    const leave = budget.enter('a')
    expect(() => budget.enter('a')).toThrow('refused')
    budget.enter('b')
    expect(() => budget.enter('b')).toThrow('refused')
    leave()
    leave()
    budget.enter('a')
    expect(() => budget.enter('a')).toThrow('refused')
    expect(budget.status()).toMatchObject({ heavy: 2, refused: 3 })
  })

  it('above the budget, admits four projects at a time, and always at least one', () => {
    const leaves = ['a', 'b', 'c', 'd'].map((project) => budget.enter(project))
    expect(() => budget.enter('e')).toThrow('refused')
    for (const leave of leaves) leave()
    budget.enter('e')
  })

  it('counts a project until its last request has ended', () => {
    resident = 100
    const leaves = [budget.enter('a'), budget.enter('a')]
    resident = 101
    leaves[0]?.()
    expect(() => budget.enter('a')).toThrow('refused')
    leaves[1]?.()
    budget.enter('a')
  })

  it('requests memory only above the budget', () => {
    budget.check()
    resident = 100
    budget.check()
    expect(relieved).toBe(1)
  })
})
