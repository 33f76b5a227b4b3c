import { describe, expect, it } from 'vitest'
import { readCases } from './read-cases.ts'

describe('cases read from text', () => {
  it('are read from CSV with quotes, line breaks in cells, and columns by their usual names', () => {
    const text = 'question;Expected Answer;notes\r\n"How; many?\r\nSay";"27 ""days"""\r\n\r\nWho?;The head;x'
    expect(readCases(text)).toEqual({
      header: 'question;Expected Answer;notes\r\n',
      unknown: ['notes'],
      cases: [
        {
          line: 2,
          source: '"How; many?\r\nSay";"27 ""days"""\r\n',
          value: { query: 'How; many?\r\nSay', expected_answer: '27 "days"' },
        },
        { line: 5, source: 'Who?;The head;x\n', value: { query: 'Who?', expected_answer: 'The head' } },
      ],
    })
  })

  it('have assertions as JSON, and an empty expected answer if only assertions are given', () => {
    const { cases } = readCases('query,assertions\nq,"[{""type"":""json_valid""}]"\nr,[oops\ns,1,2')
    expect(cases[0]?.value).toEqual({
      query: 'q',
      expected_answer: '',
      assertions: [{ type: 'json_valid' }],
    })
    expect(cases[1]?.problem).toMatch(/^assertions: /)
    expect(cases[2]?.problem).toContain('3 cells')
  })

  it('are read from JSON Lines, with errors by line', () => {
    const { header, cases } = readCases('\n{"query":"a"}\n{oops\n')
    expect(header).toBe('')
    expect(cases.map(({ line }) => line)).toEqual([2, 3])
    expect(cases[0]?.value).toEqual({ query: 'a' })
    expect(cases[1]?.problem).toContain('no JSON')
  })

  it.each([
    ['answer\nx', 'no column is named'],
    ['query,input\nx,y', 'two columns'],
  ])('are rejected as a whole without a column for the input, or with two: %s', (text, problem) => {
    expect(readCases(text)).toMatchObject({ cases: [], problem: expect.stringContaining(problem) })
  })

  it('lose nothing: header and sources together equal the text', () => {
    const text = 'query,expected\n"a\nb",1\nc,"2"\n'
    const { header, cases } = readCases(text)
    expect(header + cases.map(({ source }) => source).join('')).toBe(text)
  })
})
