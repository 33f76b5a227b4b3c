import { expect, it } from 'vitest'
import { sizeText } from './size-text.ts'

it('writes a size exactly, in the largest unit that needs at most one decimal', () => {
  expect([5 * 2 ** 20, 1.5 * 2 ** 30, 2048, 10_000, 1000, 0].map(sizeText)).toEqual([
    '5 MiB',
    '1.5 GiB',
    '2 KiB',
    '10000 bytes',
    '1000 bytes',
    '0 bytes',
  ])
})
