import { describe, expect, it } from 'vitest'
import { type Block, type Inline, parseMarkdown } from './markdown.ts'
import { piecesOf } from './pieces.ts'

/** All inline parts of a tree, at any depth. */
function partsIn(blocks: readonly Block[]): Inline[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return inner(block.content)
      case 'list':
        return block.items.flatMap((item) => [...inner(item.content), ...partsIn(item.inner)])
      case 'table':
        return [...block.head, ...block.rows.flat()].flatMap(inner)
      case 'quote':
        return partsIn(block.inner)
      default:
        return []
    }
  })
}
function inner(parts: readonly Inline[]): Inline[] {
  return parts.flatMap((part) => [part, ...('content' in part ? inner(part.content) : [])])
}
const linksIn = (text: string) =>
  partsIn(parseMarkdown(text)).flatMap((part) => (part.kind === 'link' ? part.href : []))
const textOf = (text: string) =>
  partsIn(parseMarkdown(text))
    .map((part) => ('text' in part ? part.text : ''))
    .join('')

function depthOf(blocks: readonly Block[]): number {
  const depths = blocks.map((block) => {
    if (block.kind === 'quote') return depthOf(block.inner)
    return block.kind === 'list' ? Math.max(0, ...block.items.map((item) => depthOf(item.inner))) : 0
  })
  return 1 + Math.max(0, ...depths)
}

describe('hostile Markdown', () => {
  it('has links to http, https and mail only; other links are text', () => {
    expect(
      linksIn('[a](https://a.example) <http://b.example> https://c.example [d](mailto:d@d.example)'),
    ).toEqual(['https://a.example/', 'http://b.example/', 'https://c.example/', 'mailto:d@d.example'])
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/x',
      '//a.example',
      '/v1/console/session',
      '?trace=x',
    ]) {
      expect(linksIn(`[a](${href})`), href).toEqual([])
      expect(linksIn(`[a](<${href}>)`), href).toEqual([])
      expect(linksIn(`<${href}>`), href).toEqual([])
      expect(linksIn(`[a]\n\n[a]: <${href}>`), href).toEqual([])
      expect(textOf(`[a](${href})`), href).toContain('a')
    }
  })

  it('has no HTML: tags are text, and the Markdown between them is formatted', () => {
    for (const html of [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      '<svg onload=alert(1)>',
      '<!-- a -->',
    ]) {
      expect(textOf(html)).toBe(html)
      expect(textOf(`Hello ${html} there`)).toContain(html)
    }
    expect(parseMarkdown('<rules>\nBe **brief**.\n</rules>')).toEqual([
      {
        kind: 'paragraph',
        content: [
          { kind: 'text', text: '<rules>\nBe ' },
          { kind: 'strong', content: [{ kind: 'text', text: 'brief' }] },
          { kind: 'text', text: '.\n</rules>' },
        ],
      },
    ])
  })

  it('shows cells, footnotes and definitions that other renderers drop', () => {
    expect(textOf('| a |\n|---|\n| b | hidden |')).toContain('hidden')
    expect(textOf('[^1]: a footnote')).toContain('a footnote')
    expect(textOf('[x]: https://a.example "hidden"')).toContain('hidden')
  })

  it('of a million nested quotes and lists makes a shallow tree', () => {
    for (const marker of ['>', '> ', '- ', '1. ', '> - ', '* > 1. ']) {
      const text = marker.repeat(1_000_000 / marker.length)
      const [piece] = piecesOf(text, 1, 4000)
      expect(depthOf(parseMarkdown(piece?.text ?? ''))).toBeLessThan(30)
      expect(depthOf(parseMarkdown(text))).toBeLessThan(30)
    }
    const stairs = Array.from({ length: 300 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')
    expect(depthOf(parseMarkdown(stairs))).toBeLessThan(30)
    expect(textOf(stairs).split('a')).toHaveLength(301)
    const marks = `${'**a *b '.repeat(500)}c${'* **'.repeat(500)}`
    expect(textOf(marks)).toContain('c')
  })

  it('of five megabytes is parsed in pieces, of which only the shown ones are made', () => {
    for (const part of [
      '# Title\n\ntext **bold** [a](https://a.example)\n\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '[',
      '`',
      '**',
      '<',
      'a@',
      '\\',
    ]) {
      const text = part.repeat(5_000_000 / part.length)
      const pieces = piecesOf(text, 2, 4000)
      expect(pieces).toHaveLength(2)
      for (const piece of pieces) expect(parseMarkdown(piece.text).length).toBeGreaterThan(0)
    }
  })
})
