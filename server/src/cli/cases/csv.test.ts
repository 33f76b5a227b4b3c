import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'
import { readJsonl } from './jsonl.ts'

describe('cases from a table', () => {
  it('have the line number of their record, after quoted line breaks and blank lines', () => {
    for (const end of ['\n', '\r\n']) {
      const text = ['query,expected', '"two', 'lines",a', '', ' , ', 'six,b,c', 'seven,d', '"eight"'].join(
        end,
      )
      const { cases, bad } = readCsv(text)
      expect(cases.map(({ place }) => place)).toEqual(['line 2', 'line 7', 'line 8'])
      expect(cases[0]?.value).toEqual({ query: `two${end}lines`, expected_answer: 'a' })
      expect(bad).toEqual([{ place: 'line 6', error: 'it has 3 cells, but the header has 2 columns' }])
    }
  })

  it('may use tabs, semicolons and other column names; assertions can replace an answer', () => {
    expect(readCsv('Prompt\tAnswer\nq\ta\n').cases).toMatchObject([
      { value: { query: 'q', expected_answer: 'a' } },
    ])
    expect(readCsv('input;expected-output;assertions\nq;;[]\nr;;{\n')).toMatchObject({
      cases: [{ value: { query: 'q', expected_answer: '', assertions: [] } }],
      bad: [{ place: 'line 3', error: expect.stringMatching(/^assertions: /) }],
    })
  })

  it('counts the lines of JSON Lines from one, including blank lines', () => {
    expect(readJsonl('\uFEFF{"a": 1}\r\n\r\n{\n[2]')).toMatchObject({
      cases: [
        { place: 'line 1', value: { a: 1 } },
        { place: 'line 4', value: [2] },
      ],
      bad: [{ place: 'line 3' }],
    })
  })
})
