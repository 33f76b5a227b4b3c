import { describe, expect, it } from 'vitest'
import { shareOf, Turns } from './turns.ts'

const begin = (turns: Turns, due: readonly string[], free: number) => {
  const claims = turns.choose(due, free)
  for (const { projectId, most } of claims) for (let n = 0; n < most; n++) turns.begin(projectId)
  return claims
}

describe('turns of projects', () => {
  it('leave a place free for other projects, unless there is only one place', () => {
    expect([1, 2, 3, 4, 8, 16, 32].map(shareOf)).toEqual([1, 1, 2, 3, 6, 12, 24])
    const turns = new Turns(shareOf(16))
    expect(begin(turns, ['busy'], 16)).toEqual([{ projectId: 'busy', most: 12 }])
    expect(turns.choose(['busy'], 4)).toEqual([])
    expect(turns.choose(['busy', 'late'], 4)).toEqual([{ projectId: 'late', most: 4 }])
  })

  it('share free places evenly, the project with the fewest running jobs first', () => {
    const turns = new Turns(12)
    begin(turns, ['a'], 3)
    expect(turns.choose(['a', 'b', 'c'], 5)).toEqual([
      { projectId: 'b', most: 2 },
      { projectId: 'c', most: 2 },
      { projectId: 'a', most: 1 },
    ])
  })

  it('keep reserved places for projects without a running job', () => {
    const turns = new Turns(8, 8)
    const hostile = ['a', 'b', 'c', 'd']
    begin(turns, hostile, 32)
    expect(turns.choose(hostile, 8)).toEqual([])
    expect(turns.choose([...hostile, 'late'], 8)).toEqual([{ projectId: 'late', most: 1 }])
  })

  it('alternate between projects if each project may run one job', () => {
    const turns = new Turns(1)
    const order: string[] = []
    for (let n = 0; n < 6; n++) {
      for (const { projectId } of begin(turns, ['a', 'b', 'c'], 1)) {
        order.push(projectId)
        turns.end(projectId)
      }
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })
})
