import { describe, expect, it } from 'vitest'
import { rowCounter } from './row-counter.ts'

function countIn(format: 'csv' | 'json' | 'jsonl', text: string): number {
  const count = rowCounter(format)
  let rows = 0
  for (const byte of new TextEncoder().encode(text)) rows = count(Uint8Array.of(byte))
  return rows
}

describe('rows of an export that arrives byte by byte', () => {
  it('of CSV are records, without the header and without line breaks in cells', () => {
    expect(countIn('csv', 'a,b\r\n')).toBe(0)
    expect(countIn('csv', 'a,b\r\n1,"two\r\nlines"\r\n2,"a ""b"" \n"\r\n')).toBe(2)
  })

  it('of JSON Lines are lines', () => {
    expect(countIn('jsonl', '')).toBe(0)
    expect(countIn('jsonl', '{"a":"\\n"}\n{}\n')).toBe(2)
  })

  it('of JSON are elements of the list', () => {
    expect(countIn('json', '[]\n')).toBe(0)
    expect(countIn('json', '[{"a":1}]\n')).toBe(1)
    expect(countIn('json', '[{"a":1},\n{},\n{}]\n')).toBe(3)
  })
})
