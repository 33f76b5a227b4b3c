import { describe, expect, it } from 'vitest'
import { processorMs } from '../../lib/processor-time.test-support.ts'
import { extensionOf, fileIdOf, renameFile, sanitizeFilename } from './filename.ts'

describe('file names', () => {
  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\me\\a.md', 'a.md'],
    ['..', 'file'],
    ['.htaccess', 'htaccess'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['<script>.pdf', 'script.pdf'],
    ['Jahresbericht März.pdf', 'Jahresbericht März.pdf'],
    ['報告.txt', '報告.txt'],
    // macOS writes a letter and its combining mark as two characters.
    ['Ma\u0308rz.pdf', 'M\u00e4rz.pdf'],
    ['', 'file'],
  ])('are sanitised: %j becomes %j', (given, expected) => {
    expect(sanitizeFilename(given)).toBe(expected)
  })

  it('keep their extension when they are shortened', () => {
    const cut = sanitizeFilename(`${'x'.repeat(500)}.pdf`)
    expect(cut).toHaveLength(200)
    expect(cut.endsWith('.pdf')).toBe(true)
  })

  it('are shortened between characters, and a very long suffix is not an extension', () => {
    expect(sanitizeFilename(`${'😀'.repeat(200)}x.pdf`)).toBe(`${'😀'.repeat(98)}.pdf`)
    expect(sanitizeFilename(`a${'😀'.repeat(200)}.pdf`)).toBe(`a${'😀'.repeat(97)}.pdf`)
    expect(sanitizeFilename(`a.${'x'.repeat(500)}`)).toBe(`a.${'x'.repeat(198)}`)
  })

  it.each([
    ['dots', '.'.repeat(80_000)],
    ['combining marks in the wrong order', '\u0315\u0300'.repeat(40_000)],
    ['letters', 'x'.repeat(80_000)],
  ])('of 80,000 characters do not block the server: %s', async (_, middle) => {
    const sanitize = () => expect(sanitizeFilename(`a${middle}x.pdf`)).toMatch(/\.pdf$/)
    expect(await processorMs(sanitize)).toBeLessThan(100)
  })

  it.each([
    ['a.pdf', 'b.pdf', 'b.pdf'],
    ['a.pdf', 'b.MD', 'b.MD'],
    ['a.pdf', 'b', 'b.pdf'],
    ['a.PDF', 'b.v2', 'b.v2.pdf'],
    ['a.pdf', '..', 'file.pdf'],
    ['no type', 'b', 'b'],
    ['a.pdf', 'x'.repeat(300), `${'x'.repeat(196)}.pdf`],
  ])('%s renamed to %s is %s', (present, wanted, expected) => {
    expect(renameFile(present, wanted)).toBe(expected)
  })

  it.each(['a', 'a.exe', 'a.pdf.zip', '.pdf', 'a.'])(
    'with an unsupported extension are rejected: %s',
    (name) => {
      expect(() => extensionOf(name)).toThrow('not supported')
    },
  )

  it('determine the file type by their extension, in any case', () => {
    expect(extensionOf('A.PDF')).toBe('pdf')
  })

  it('make file ids that are safe in a path, and unique within a second', () => {
    expect(fileIdOf('chat1', 'März 報.pdf', 1_700_000_000_999, 1)).toBe('chat1_Ma-rz-.pdf_1700000000')
    expect(fileIdOf('chat1', 'a.pdf', 1_700_000_000_000, 2)).toBe('chat1_a-2.pdf_1700000000')
    expect(encodeURIComponent(fileIdOf('c', 'ä/?#.md', 0, 1))).toBe(fileIdOf('c', 'ä/?#.md', 0, 1))
  })
})
