import { expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { headingLevels } from './docx-styles.ts'

const style = (id: string, basedOn: string, name = '') =>
  `<w:style w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${basedOn}"/></w:style>`
const styles = (...all: string[]) => `<w:styles>${all.join('')}</w:styles>`

test('a style has the level of the nearest style that it is based on', () => {
  const xml = styles(
    style('a', 'b'),
    style('b', 'c', 'Heading 2'),
    style('c', '', 'title'),
    style('d', 'none'),
  )
  expect([...headingLevels(xml)].sort()).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 1],
  ])
})

test('styles in a circle have no level, except through a heading in it', () => {
  const plain = styles(style('a', 'b'), style('b', 'c'), style('c', 'b'))
  expect(headingLevels(plain).size).toBe(0)
  const heading = styles(style('a', 'b'), style('b', 'c'), style('c', 'b', 'heading 3'))
  expect([...headingLevels(heading).values()]).toEqual([3, 3, 3])
})

test('a long chain of styles takes little time', async () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => style(`s${at}`, `s${at + 1}`))
  const xml = styles(...chain, style('s20000', '', 'heading 1'))
  expect(await processorMs(() => expect(headingLevels(xml).size).toBe(20_001))).toBeLessThan(2_000)
})
