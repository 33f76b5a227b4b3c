import { sampleText } from '../support/sample-documents.ts'
import type { Attack } from './attack.ts'
import { fileBody, inChat, type Target } from './client.ts'
import { hostilePdfs } from './hostile-pdf.ts'

/** Makes each file different, because equal bytes would be stored once. */
function unique(content: Uint8Array | string, number: string): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Buffer.concat([bytes, Buffer.from(`\n%${number}\n`)])
}

/** Uploads of a file that is built once and varied for each upload. */
function upload(
  about: string,
  atOnce: number,
  filename: string,
  make: () => Uint8Array | string,
  end: (content: Uint8Array | string, number: string) => Uint8Array | string = unique,
): Attack {
  let content: Uint8Array | string
  return {
    about,
    atOnce,
    prepare: async () => {
      content = make()
    },
    round: async (target: Target, loop, round) => {
      const body = fileBody(filename, end(content, `${loop}-${round}`))
      return (await inChat(target, 'POST', 'upload_with_scopes', body)).status
    },
  }
}

/** JSON and CSV have no comments, so the number replaces a placeholder. */
const inPlace = (content: Uint8Array | string, number: string) => String(content).replace('NUMBER', number)

const levels = 'abcdefghi'

/** Each level refers to the previous level nine times. */
function aliases(): string {
  const lines = [...levels].map((name, at) => {
    const last = levels[at - 1]
    return `${name}: &${name} [${Array.from({ length: 9 }, () => (last ? `*${last}` : 'x')).join()}]`
  })
  return `note: NUMBER\n${lines.join('\n')}\n`
}

const columns = Array.from({ length: 300_000 }, (_, at) => `c${at}`)

export const fileAttacks = {
  'pdf-widths': upload('PDF: /W of 2e9 glyphs, 866 bytes', 2, 'a.pdf', hostilePdfs.widths),
  'pdf-many-widths': upload('PDF: /W of 5e7 glyphs', 2, 'a.pdf', hostilePdfs.manyWidths),
  'pdf-vertical-widths': upload('PDF: /W2 of 2e9 glyphs', 2, 'a.pdf', hostilePdfs.verticalWidths),
  'pdf-long-string': upload('PDF: a string of 100 MB, deflated', 2, 'a.pdf', hostilePdfs.longString),
  'pdf-glyph-map': upload('PDF: a /CIDToGIDMap of 300 MB, deflated', 2, 'a.pdf', hostilePdfs.glyphMap),
  'pdf-forms': upload('PDF: nested forms, minutes of work, 8 at once', 8, 'a.pdf', hostilePdfs.nestedForms),
  'json-long-key': upload(
    'JSON file with a key of 2 MB over 400,000 numbers',
    4,
    'a.json',
    () => `{"NUMBER":1,"${'k'.repeat(2_000_000)}":[${'12345,'.repeat(400_000)}0]}`,
    inPlace,
  ),
  'json-wide-file': upload(
    'JSON file with 300,000 keys',
    4,
    'a.json',
    () => `{"NUMBER":1,${columns.map((name) => `"${name}":1`).join()}}`,
    inPlace,
  ),
  'csv-wide': upload(
    'CSV with 300,000 columns',
    4,
    'a.csv',
    () => `NUMBER,${columns.join()}\n1,${columns.map(() => '2').join()}\n`,
    inPlace,
  ),
  'yaml-aliases': upload('YAML of aliases of aliases', 4, 'a.yaml', aliases, inPlace),
  'html-deep': upload(
    'HTML of 500,000 nested elements',
    4,
    'a.html',
    () => `<p>NUMBER ${'<div>'.repeat(500_000)}text`,
    inPlace,
  ),
  'texts-small': upload('small texts, 32 at once', 32, 'a.txt', () => 'A note on the gauge.'),
  'texts-5mb': upload('5 MB of text, 8 at once', 8, 'a.md', () => sampleText(5_000_000, 1, 'marker')),
} satisfies Record<string, Attack>
