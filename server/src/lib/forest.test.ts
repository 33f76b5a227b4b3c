import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { haveMarkedBelow, parentIndexes } from './forest.ts'

const node = (id: string | undefined, parentId?: string) => ({ id, parentId })

describe('parentIndexes', () => {
  it('finds parents in any order; a missing parent makes a root', () => {
    const nodes = [node('c', 'b'), node('a'), node('b', 'a'), node('d', 'gone'), node(undefined, 'a')]
    expect([...parentIndexes(nodes)]).toEqual([2, -1, 1, -1, 1])
  })

  it('makes the first node of a cycle a root, also of a node that is its own parent', () => {
    expect([...parentIndexes([node('a', 'c'), node('b', 'a'), node('c', 'b')])]).toEqual([-1, 0, 1])
    expect([...parentIndexes([node('x', 'b'), node('a', 'b'), node('b', 'a')])]).toEqual([2, 2, -1])
    expect([...parentIndexes([node('a', 'a')])]).toEqual([-1])
  })

  it('gives children of a repeated id to the first node with this id', () => {
    expect([...parentIndexes([node('a'), node('a'), node('b', 'a')])]).toEqual([-1, -1, 0])
  })

  it('lets every chain of parents end, for any links', () => {
    const id = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: undefined })
    fc.assert(
      fc.property(fc.array(fc.record({ id, parentId: id }), { maxLength: 8 }), (nodes) => {
        const parents = parentIndexes(nodes)
        for (const start of nodes.keys()) {
          let [at, steps] = [start, 0]
          while (parents[at] !== -1) {
            at = parents[at] as number
            steps += 1
            expect(steps).toBeLessThan(nodes.length)
          }
        }
      }),
    )
  })
})

describe('haveMarkedBelow', () => {
  it('marks all ancestors of a marked node, and not the node itself', () => {
    const parents = parentIndexes([node('a'), node('b', 'a'), node('c', 'b'), node('d', 'a')])
    expect(haveMarkedBelow(parents, (index) => index === 2)).toEqual([true, true, false, false])
    expect(haveMarkedBelow(parents, () => false)).toEqual([false, false, false, false])
  })
})
