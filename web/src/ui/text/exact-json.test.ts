import { expect, it } from 'vitest'
import { exactNumber, parseExactJson } from './exact-json.ts'

it('numbers that JavaScript cannot hold keep their digits', () => {
  const values = parseExactJson(
    '[9007199254740993, 1.50, 1e400, 0.1234567890123456789, -0, 7, 1.5, "1.50"]',
  ) as unknown[]
  expect(values.map((value) => exactNumber(value) ?? value)).toEqual([
    '9007199254740993',
    '1.50',
    '1e400',
    '0.1234567890123456789',
    '-0',
    7,
    1.5,
    '1.50',
  ])
  expect(JSON.stringify(values)).toBe('[9007199254740993,1.50,1e400,0.1234567890123456789,-0,7,1.5,"1.50"]')
})

it('only objects and lists are JSON, and deep ones are parsed without their digits', () => {
  for (const text of ['12', '"a"', 'null', 'text', '{broken', ''])
    expect(parseExactJson(text)).toBeUndefined()
  const deep = `${'['.repeat(100_000)}1.50${']'.repeat(100_000)}`
  expect(Array.isArray(parseExactJson(deep))).toBe(true)
})
