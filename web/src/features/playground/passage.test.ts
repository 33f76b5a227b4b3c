import { describe, expect, it } from 'vitest'
import { parseInline } from '../../ui/text/markdown.ts'
import { claimBefore, passageOf, sentencesOf } from './passage.ts'

const chunk = `## Leave

New staff get 27 days of paid leave a year. After five years it is 30 days. Leave that is not taken by the end
of March of the next year is lost, unless the operations manager has agreed otherwise.

- Ask three weeks ahead.
- In July at most four people are away.
`
const said = (claim: string) => {
  const range = passageOf(chunk, claim)
  return range && chunk.slice(range.start, range.end)
}

describe('the passage behind a claim', () => {
  it('is a sentence that contains the claim word for word', () => {
    expect(said('After five years it is 30 days.')).toBe('After five years it is 30 days.')
  })

  it('is otherwise the sentence with the most shared words, also across line breaks', () => {
    expect(said('You lose leave which was not taken before the end of March')).toBe(
      'Leave that is not taken by the end\nof March of the next year is lost, unless the operations manager has agreed otherwise.',
    )
    expect(said('Four people can be away in July')).toBe('- In July at most four people are away.')
    expect(said('27 days')).toBe('New staff get 27 days of paid leave a year.')
  })

  it('is undefined if no word is shared or the claim is empty', () => {
    expect(said('Zebras whistle')).toBeUndefined()
    expect(said('')).toBeUndefined()
  })

  it('is a sentence with its range in the text', () => {
    expect(sentencesOf(' One.  Two goes\r\non here.\n\nThree').map(({ start, end }) => [start, end])).toEqual(
      [
        [1, 5],
        [7, 25],
        [27, 32],
      ],
    )
  })
})

describe('the claim of a citation', () => {
  it('is the sentence before it, without marks', () => {
    const parts = parseInline('It costs 2 euros. **Dogs go free.**[^1] Cats too[^0][^12].')
    const claims = parts.flatMap((part) => (part.kind === 'citation' ? claimBefore(part.lead) : []))
    expect(claims).toEqual(['Dogs go free.', 'Cats too', 'Cats too'])
    expect(claimBefore('A line that\ngoes on.')).toBe('A line that\ngoes on.')
    expect(claimBefore('')).toBe('')
  })
})
