import { describe, expect, it } from 'vitest'
import { creditsOf, multiplierOf } from './credits.ts'

describe('multipliers of models', () => {
  it.each([
    ['gpt-4o', 15],
    ['GPT-4o', 15],
    ['openai/gpt-4o', 15],
    ['gpt-4o-2024-08-06', 15],
    ['gpt-4o-2024-05-13', 15],
    ['gpt-4o-mini-2024-07-18', 1],
    ['gpt-4-0613', 18],
    ['gpt-4-turbo-2024-04-09', 12],
    ['claude-3-opus-20240229', 20],
    ['claude-3.5-sonnet', 10],
    ['claude-3-5-sonnet-20241022', 10],
    ['gemini-1.5-pro-002', 4],
    ['gpt-5', 1],
    ['llama3.2', 1],
    ['', 1],
    ['x'.repeat(300), 1],
    ['cairn-extractive', 0],
  ])('%s: %d', (model, multiplier) => {
    expect(multiplierOf(model)).toBe(multiplier)
  })

  it('that are set override built-in ones, and an exact name overrides its family', () => {
    const set = new Map([
      ['gpt-4o', 2],
      ['gpt-4o-2024-05-13', 3],
      ['llama3.2', 0.5],
    ])
    expect(
      ['gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-05-13', 'llama3.2', 'gpt-4'].map((m) =>
        multiplierOf(m, set),
      ),
    ).toEqual([2, 2, 3, 0.5, 18])
  })

  it('are credits for a thousand tokens', () => {
    expect(creditsOf(1234, 15)).toBe(18.51)
    expect(creditsOf(0, 20)).toBe(0)
  })
})
