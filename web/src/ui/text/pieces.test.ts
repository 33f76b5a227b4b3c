import { describe, expect, it } from 'vitest'
import { piecesOf } from './pieces.ts'

const all = (text: string) => piecesOf(text, Number.POSITIVE_INFINITY, 100)

describe('the pieces of a long text', () => {
  it('end between paragraphs, contain the whole text, and are made as far as they are shown', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join('\n\n')
    const pieces = all(text)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    for (const piece of pieces.slice(0, -1)) expect(piece.text).toMatch(/\.\n\n$/)
    expect(piecesOf(text, 2, 100)).toEqual(pieces.slice(0, 2))
    expect(all('')).toEqual([])
    expect(all('short')).toEqual([{ text: 'short', end: 5 }])
  })

  it('open a code block again in which the piece before ended', () => {
    const code = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')
    const [first, second] = all(`Before\n\n\`\`\`python\n${code}\n\`\`\`\nAfter`)
    expect(first?.text).toContain('```python\nline 0')
    expect(second?.text).toMatch(/^```python\nline \d+\n/)
    const closed = all(`\`\`\`\n${'a\n'.repeat(20)}\`\`\`\n\n${'word '.repeat(100)}`)
    expect(closed[1]?.text.startsWith('```')).toBe(false)
  })

  it('never split a character, also without any border', () => {
    const text = '😀'.repeat(500)
    for (const piece of all(text)) expect(piece.text.isWellFormed()).toBe(true)
    expect(
      all(`a${text}`)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(`a${text}`)
  })
})
