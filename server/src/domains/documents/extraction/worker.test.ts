import { type SupportedExtension, supportedExtensions } from '@cairn/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paragraph, sampleDocx } from './docx.test-samples.ts'
import { bytes } from './extract.test-support.ts'
import { samplePdf } from './pdf.test-samples.ts'
import { extractChunks } from './worker.ts'

/** Arbitrary characters, and pieces that have a meaning in some format. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\n\n',
    '  ',
    '\t',
    'word '.repeat(60),
    'x'.repeat(2000),
    '😀'.repeat(900),
    '\u00a0',
    '\ufeff',
    '\0',
  ),
  fc.constantFrom(
    '# ',
    '---\n',
    '- ',
    'key: ',
    '"',
    "'",
    ',',
    ';',
    '|\n',
    '{',
    '}',
    '[',
    ']',
    ':',
    '&a ',
    '*a ',
    '|',
    '>',
  ),
  fc.constantFrom(
    '<p>',
    '</p>',
    '<h2>',
    '</h2>',
    '<td>',
    '<tr>',
    '<pre>',
    '<a b="c">',
    '</a>',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&#0;',
    '<!--',
  ),
  fc.constantFrom('function f() {\n', '  def x(self):\n', 'class A {\n', '// note\n', '}\n', ':label\n'),
)
const maxTextBytes = 8 * 1024 * 1024
const anything = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 20 })
const xmlText = (text: string) => text.replace(/[<&]/g, (mark) => (mark === '<' ? '&lt;' : '&amp;'))

/** Valid files of a format with arbitrary words; for formats without an entry, any text is valid. */
const validFiles: Partial<Record<SupportedExtension, fc.Arbitrary<Uint8Array>>> = {
  pdf: words.map((texts) =>
    samplePdf([texts.map((text, at) => ({ text: text.replace(/[^ -~]/g, '?'), x: 72, y: 800 - 14 * at }))]),
  ),
  docx: words.map((texts) =>
    sampleDocx(texts.map((text, at) => paragraph(xmlText(text), at % 4 === 0 ? 'Own' : undefined)).join('')),
  ),
  xml: words.map((texts) =>
    bytes(
      `<a>${texts.map((text, at) => `<b${at % 3}><c d="e">${xmlText(text)}</c></b${at % 3}>`).join('\n')}</a>`,
    ),
  ),
  json: fc.json({ maxDepth: 5, stringUnit: 'grapheme' }).map((json) => bytes(json)),
  yaml: words.map((texts) =>
    bytes(
      texts
        .map((text, at) => `k${at}:\n  - ${JSON.stringify(text)}\n  - a: |\n      ${'w '.repeat(300)}\n`)
        .join(''),
    ),
  ),
  csv: words.map((texts) =>
    bytes(`a,b\n${texts.map((text) => `"${text.replaceAll('"', '""')}",1`).join('\n')}`),
  ),
}

function expectSound(reply: Awaited<ReturnType<typeof extractChunks>>): void {
  if (!reply.ok) {
    expect(reply.reason).not.toBe('failed')
    return
  }
  const { text, chunks } = reply.document
  expect(text.isWellFormed() && !text.includes('\0')).toBe(true)
  let end = 0
  for (const chunk of chunks) {
    expect(chunk.text).toBe(text.slice(chunk.start, chunk.end))
    expect(text.slice(end, chunk.start).trim()).toBe('')
    expect(chunk.text.length).toBeGreaterThan(0)
    expect(chunk.text.length).toBeLessThanOrEqual(1600)
    end = chunk.end
  }
  expect(text.slice(end).trim()).toBe('')
}

describe.each(supportedExtensions)('%s', (extension) => {
  test('chunks are slices of the text, and together cover all of it', async () => {
    const files = validFiles[extension] ?? anything.map((text) => bytes(text))
    let read = 0
    await fc.assert(
      fc.asyncProperty(files, async (file) => {
        const reply = await extractChunks({ bytes: file, filename: `a.${extension}`, maxTextBytes })
        if (reply.ok) read++
        expectSound(reply)
      }),
      { numRuns: extension === 'pdf' ? 20 : 100 },
    )
    expect(read).toBeGreaterThan(5)
  })

  test('any bytes are read or rejected with a reason', async () => {
    const files = fc.oneof(
      anything.map((text) => bytes(text)),
      fc.uint8Array({ maxLength: 300 }),
    )
    await fc.assert(
      fc.asyncProperty(files, async (file) =>
        expectSound(await extractChunks({ bytes: file, filename: `a.${extension}`, maxTextBytes })),
      ),
      { numRuns: extension === 'pdf' ? 30 : 150 },
    )
  })
})

test('an unexpected error of a parser is reported with its stack, without its message', async () => {
  const get = () => {
    throw new TypeError('a secret')
  }
  const file = new Proxy(new Uint8Array(1), { get })
  const reply = await extractChunks({ bytes: file, filename: 'a.txt', maxTextBytes })
  expect(reply).toMatchObject({
    ok: false,
    reason: 'failed',
    cause: expect.stringMatching(/^TypeError\n +at .*/),
  })
  expect(JSON.stringify(reply)).not.toContain('secret')
})
