import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelsOf, tagsOf } from './labels.ts'
import { toRecord } from './record.ts'

const recordOf = (custom_attributes: Record<string, unknown>, tags: string[] = []) =>
  toRecord({ input: '', output: '', custom_attributes, tags })
const pairs = (attributes: Record<string, unknown>) =>
  labelsOf(recordOf(attributes)).map(({ name, value }) => `${name}=${value}`)

describe('labels of a trace', () => {
  it('contain its attributes by their path, as text', () => {
    const attributes = { a: 'x', b: 1.5, c: false, d: { e: { f: '' } }, g: null, h: ['x'], '': 0, 'i.j': -0 }
    const expected = ['attr.a=x', 'attr.b=1.5', 'attr.c=false', 'attr.d.e.f=', 'attr.=0', 'attr.i.j=0']
    expect(pairs(attributes).sort()).toEqual(expected.sort())
  })

  it('contain no two values that a database stores as the same text', () => {
    expect(tagsOf(recordOf({}, ['a', 'a', 'b\0', 'b\ufffd', 'B']))).toEqual(['a', 'b\ufffd', 'B'])
    expect(pairs({ 'a.b': 1, a: { b: 1 } })).toEqual(['attr.a.b=1'])
    expect(pairs({ 'a.b': 1, a: { b: 2 } }).sort()).toEqual(['attr.a.b=1', 'attr.a.b=2'])
    expect(pairs({ 'k\0': 1, 'k\ufffd': 1 })).toEqual(['attr.k\ufffd=1'])
  })

  it('are bounded in number and depth', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))
    expect(pairs(many)).toHaveLength(200)
    const nest = (depth: number): unknown => (depth === 0 ? 'leaf' : { a: nest(depth - 1) })
    expect(pairs(nest(10) as Record<string, unknown>)).toHaveLength(1)
    expect(pairs(nest(11) as Record<string, unknown>)).toHaveLength(0)
  })

  it('contain no pair twice, for any attributes and tags', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (attributes, tags) => {
        const labels = labelsOf(recordOf(attributes, tags)).map(({ name, value }) =>
          JSON.stringify([name, value]),
        )
        expect(new Set(labels).size).toBe(labels.length)
      }),
    )
  })
})
