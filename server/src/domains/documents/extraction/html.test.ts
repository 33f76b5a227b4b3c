import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../lib/processor-time.test-support.ts'
import { bytes, extractAndChunk, headingPathOf, reasonOf } from './extract.test-support.ts'
import { extractText } from './extract.ts'

const textOf = async (html: string | Uint8Array) => (await extractAndChunk(html, 'html')).text

describe('HTML', () => {
  test('blocks begin new lines, white space is collapsed, entities are decoded', async () => {
    const html =
      '<body><p>One\n  &amp; <b>t</b>wo&nbsp;&#8364;</p>\n<p>Three<br>four<div>five</div>six</body>'
    expect(await textOf(html)).toBe('One & two\u00a0€\n\nThree\nfour\n\nfive\nsix')
  })

  test('scripts, event handlers, styles and drawings are skipped, and the file is accepted', async () => {
    const html = `<!doctype html><html><head><style>p { color: red }</style><script>alert(1)</script></head>
      <body onload="steal()"><p onclick="evil()">Kept <svg><title>gone</title><text>gone</text>
      <script>gone()</script></svg>text</p><script type="x">'</p>' gone</script>
      <template>gone</template><a href="javascript:gone()">link</a></body></html>`
    expect(await textOf(html)).toBe('Kept text\n\nlink')
  })

  test('escaped tags are text', async () => {
    expect(await textOf('<p>Write &lt;script&gt;alert(1)&lt;/script&gt; here</p>')).toBe(
      'Write <script>alert(1)</script> here',
    )
  })

  test('title and h1 to h6 are headings, with exact offsets', async () => {
    const filler = `<p>${'Some words of filler. '.repeat(20)}</p>`
    const html = `<title>Site</title><h1>Guide</h1>${filler}<h2>Set <i>up</i>\n now</h2>${filler}<p>plug it in</p><h2>Use</h2>${filler}`
    const { text, headings, chunks } = await extractAndChunk(html, 'html')
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Site'],
      [1, 'Guide'],
      [2, 'Set up now'],
      [2, 'Use'],
    ])
    for (const { start, title } of headings) expect(text.slice(start, start + title.length)).toBe(title)
    expect(headingPathOf(chunks, 'plug it in')).toEqual(['Guide', 'Set up now'])
  })

  test('a table row is one line, also with empty cells and blocks in cells', async () => {
    const html = `<table><tr><th>Day<th>From<th>To<tr><td><p>Mon</p><td>9<br>am<td>17
      <tr><td>Tue</td><td></td><td>18</td></tr><tr><td></td><td>x</td></tr><tr><td></td></tr></table><p>End`
    expect(await textOf(html)).toBe('Day | From | To\nMon | 9 am | 17\nTue | | 18\n| x\n\nEnd')
  })

  test('a page with a table for its layout keeps its blocks on separate lines', async () => {
    const part = (name: string) => `<p>${name} ${'words of the page '.repeat(30)}</p>`
    const { text } = await extractAndChunk(
      `<table><tr><td>${part('one')}${part('two')}${part('three')}</td></tr></table>`,
      'html',
    )
    expect(text.split('\n\n')).toHaveLength(3)
  })

  test('list items begin with a hyphen, and preformatted text keeps its spaces', async () => {
    expect(await textOf('<p>Colours:</p><ul><li>red<li><p>blue</p></li></ul>')).toBe(
      'Colours:\n\n- red\n\n- blue',
    )
    expect(await textOf('<pre>a\n  b   c\n\nd</pre>e')).toBe('a\n  b   c\n\nd\n\ne')
  })

  test.each([
    ['byte order mark', bytes('\ufeff<p>Grüße', 'utf16le'), 'Grüße'],
    ['UTF-16 without a mark', bytes('<p>Grüße</p>', 'utf16le'), 'Grüße'],
    [
      'meta charset',
      Buffer.concat([bytes('<meta charset="windows-1251"><p>'), Buffer.from([0xcf, 0xf0, 0xe8])]),
      'При',
    ],
    [
      'meta http-equiv',
      Buffer.concat([
        bytes('<meta http-equiv=content-type content="text/html; charset=koi8-r">'),
        Buffer.from([0xf0, 0xd2]),
      ]),
      'Пр',
    ],
    ['UTF-8 if the meta charset is unknown', bytes('<meta charset="x-odd"><p>é'), 'é'],
    ['UTF-8 without a declaration', bytes('<p>naïve 😀'), 'naïve 😀'],
    [
      'windows-1252 if the bytes are not UTF-8',
      Buffer.from([0x3c, 0x70, 0x3e, 0x63, 0x61, 0x66, 0xe9, 0x80]),
      'café€',
    ],
  ])('the charset is found by %s', async (_, html, text) => {
    expect(await textOf(new Uint8Array(html))).toBe(text)
  })

  test('a page without text is empty', async () => {
    expect(await reasonOf(extractText(bytes('<script>let a</script><img src=x>'), 'html'))).toBe('empty')
  })

  test('another format and binary data are rejected', async () => {
    expect(await reasonOf(extractText(bytes('%PDF-1.7 <p>x'), 'html'))).toBe('malicious')
    expect(await reasonOf(extractText(bytes('PK\x03\x04<p>x'), 'html'))).toBe('malicious')
    expect(await reasonOf(extractText(bytes('<p>x</p>PK\x05\x06\0\0'), 'html'))).toBe('malformed')
    const alsoPdf = '<!--%PDF-1.7--><p>x</p>\nstartxref\n9\n%%EOF\n'
    expect(await reasonOf(extractText(bytes(alsoPdf), 'html'))).toBe('malicious')
  })

  test('deep nesting is malicious, many unclosed tags are not', async () => {
    expect(await reasonOf(extractText(bytes(`${'<div>'.repeat(500_000)}x`), 'html'))).toBe('malicious')
    expect(await textOf(`${'<a name=x>'.repeat(1500)}text`)).toBe('text')
    expect((await textOf('<p>x'.repeat(10_000))).length).toBeGreaterThan(20_000)
  })

  test.each([
    '<',
    '</',
    '<p ',
    '&',
    '&#',
    '<!--',
    '<![CDATA[',
    '</b>',
    '<td>x',
    '<p>x',
    '<svg>',
    ' ',
    '\n<pre>\n',
    '<h1>',
    '<h1>x</h1>',
    '<td>',
    '<pre>\n\n</pre>',
  ])('two megabytes of %j cannot stall the server', async (piece) => {
    const html = bytes(`<p>text</p>${piece.repeat(2_000_000 / piece.length)}`)
    const work = () => extractText(html, 'html').catch(() => {})
    expect(await processorMs(work)).toBeLessThan(10_000)
  })
})
