import { describe, expect, it } from 'vitest'
import { flowingText } from './flowing-text.ts'

const full = 'This line goes to the very end of the room that there was for it, and'

describe('flowing text', () => {
  it('joins wrapped lines, and keeps every character at its offset', () => {
    const text = `# Title\n\n${full}\r\nso goes on here.\nA short line\nstays.\n\n${full}\n- an item\n`
    const shown = flowingText('a.md', text)
    expect(shown).toBe(`# Title\n\n${full}  so goes on here.\nA short line\nstays.\n\n${full}\n- an item\n`)
    expect(shown).toHaveLength(text.length)
  })

  it('leaves the lines of code and tables alone', () => {
    for (const name of ['a.py', 'a.csv', 'a.JSON']) {
      expect(flowingText(name, `${full}\nnext\n`)).toBe(`${full}\nnext\n`)
    }
    const table = `| ${full} |\nafter it`
    expect(flowingText('a.md', table)).toBe(table)
  })
})
