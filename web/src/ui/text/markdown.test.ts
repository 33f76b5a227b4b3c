import { describe, expect, it } from 'vitest'
import { type Inline, parseInline, parseMarkdown } from './markdown.ts'

const text = (content: string): Inline[] => [{ kind: 'text', text: content }]

describe('Markdown', () => {
  it('is paragraphs, with line breaks kept', () => {
    expect(parseMarkdown('One\ntwo\n\nthree')).toEqual([
      { kind: 'paragraph', content: text('One\ntwo') },
      { kind: 'paragraph', content: text('three') },
    ])
  })

  it('is nested lists, with continued items', () => {
    expect(parseMarkdown('Then:\n- a\n  still a\n  1. inner\n  2. next\n- b\n\nEnd')).toEqual([
      { kind: 'paragraph', content: text('Then:') },
      {
        kind: 'list',
        isOrdered: false,
        start: 1,
        items: [
          {
            content: text('a\nstill a'),
            inner: [
              {
                kind: 'list',
                isOrdered: true,
                start: 1,
                items: [
                  { content: text('inner'), inner: [] },
                  { content: text('next'), inner: [] },
                ],
              },
            ],
          },
          { content: text('b'), inner: [] },
        ],
      },
      { kind: 'paragraph', content: text('End') },
    ])
    expect(parseMarkdown('3. c\n\n4. d')).toEqual([
      {
        kind: 'list',
        isOrdered: true,
        start: 3,
        items: [
          { content: text('c'), inner: [] },
          { content: text('d'), inner: [] },
        ],
      },
    ])
  })

  it('is code blocks, also unclosed ones, without markup inside', () => {
    const code = { kind: 'code', text: 'a **b** [^0]\n<b>' }
    expect(parseMarkdown('```ts\na **b** [^0]\n<b>\n```\nend')).toEqual([
      { ...code, language: 'ts' },
      { kind: 'paragraph', content: text('end') },
    ])
    expect(parseMarkdown('```\na **b** [^0]\n<b>')).toEqual([code])
  })

  it('is headings and tables', () => {
    expect(parseMarkdown('## Fares ##\n| a | b |\n|---|:-:|\n| 1 | **2** |')).toEqual([
      { kind: 'heading', level: 2, content: text('Fares') },
      {
        kind: 'table',
        head: [text('a'), text('b')],
        rows: [[text('1'), [{ kind: 'strong', content: text('2') }]]],
      },
    ])
  })

  it('is bold, emphasis and code in a line; other stars and underscores stay', () => {
    expect(parseInline('a **b *c*** `d*e*`')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'strong', content: [...text('b '), { kind: 'emphasis', content: text('c') }] },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'd*e*' },
    ])
    for (const plain of ['2 * 3 * 4', '** no **', 'snake_case_name', '<img src=x>', '[a](javascript:b)']) {
      expect(parseInline(plain)).toEqual(text(plain))
    }
  })

  it('is citations, each with the text before it', () => {
    const parts = parseInline('It costs 2 euros. **Dogs go free.**[^1] Cats too[^0][^12].')
    expect(parts.filter(({ kind }) => kind === 'citation')).toEqual([
      { kind: 'citation', index: 1, lead: 'It costs 2 euros. **Dogs go free.**' },
      { kind: 'citation', index: 0, lead: 'It costs 2 euros. **Dogs go free.**[^1] Cats too' },
      { kind: 'citation', index: 12, lead: 'It costs 2 euros. **Dogs go free.**[^1] Cats too[^0]' },
    ])
  })

  it('parses any text to its end', () => {
    const pieces = ['- ', '1. ', '```', '\n', '  ', '|', '|-|', '**', '*', '`', '[^1]', '#', 'a', '\n\n']
    for (let seed = 1; seed < 3000; seed++) {
      let state = seed
      const random = () => {
        state = (state * 48271) % 2147483647
        return state / 2147483647
      }
      const made = Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
      const said = JSON.stringify(parseMarkdown(made)).match(/a/g)?.length ?? 0
      // The text behind an opening fence names the language and is not shown.
      const shown = made.replace(/^\s*```[^`\n]*$/gm, '')
      expect(said, made).toBeGreaterThanOrEqual(shown.split('a').length - 1)
    }
  })
})
