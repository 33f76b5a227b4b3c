import { supportedExtensions } from '@cairn/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  contentTypes,
  documentPart,
  paragraph,
  sampleDocx,
  sampleZip,
} from '../../server/src/domains/documents/extraction/docx.test-samples.ts'
import { samplePdf } from '../../server/src/domains/documents/extraction/pdf.test-samples.ts'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tenantStateOf } from '../support/state.ts'

type Content = string | Uint8Array

interface Sample {
  name: string
  content: Content
  question: string
  /** A text that the cited chunk contains. */
  fact: string
  /** True if the text of the file is stored unchanged, so that the cited chunk is a part of it. */
  isExact?: true
}

/** A source file that declares one limit. */
function code(name: string, content: string, question: string, fact: string): Sample {
  return { name, content, question, fact, isExact: true }
}

const samples: Sample[] = [
  {
    name: 'pump.pdf',
    content: samplePdf([[{ text: 'The pump in the cellar moves forty litres a minute.', x: 72, y: 700 }]]),
    question: 'How many litres does the pump move?',
    fact: 'forty litres',
  },
  {
    name: 'garden.docx',
    content: sampleDocx(
      paragraph('Garden', 'berschrift1') +
        paragraph('The garden gate is locked at nine in the evening.') +
        paragraph('Roses are cut in March.'),
    ),
    question: 'When is the garden gate locked?',
    fact: 'locked at nine',
  },
  {
    name: 'bees.txt',
    content: 'The beehive stands behind the orchard. It holds sixty thousand bees.',
    question: 'How many bees does the beehive hold?',
    fact: 'sixty thousand',
    isExact: true,
  },
  {
    name: 'boat.md',
    content: '# Boat\n\nThe boat carries seven passengers and a dog.\n',
    question: 'How many passengers does the boat carry?',
    fact: 'seven passengers',
    isExact: true,
  },
  {
    name: 'museum.html',
    content:
      '<!doctype html><title>Museum</title><script>var tickets = "free"</script><h1>Museum</h1><p onclick="x()">A museum ticket costs 14&nbsp;&euro; for adults.</p>',
    question: 'What does a museum ticket cost?',
    fact: '14\u00a0€',
  },
  {
    name: 'telescope.xml',
    content:
      '<observatory><telescope id="T1"><mirror unit="cm">230</mirror><opened>1987</opened></telescope></observatory>',
    question: 'How large is the mirror of the telescope?',
    fact: 'mirror (unit=cm): 230',
  },
  {
    name: 'stations.csv',
    content: 'station,platforms,elevation\nOlten,12,396\nChur,9,584\nVisp,8,650\n',
    question: 'What is the elevation of the station Chur?',
    fact: 'Chur,9,584',
    isExact: true,
  },
  {
    name: 'oven.json',
    content: '{\n  "oven": {\n    "temperature": 245,\n    "programme": "sourdough bread"\n  }\n}\n',
    question: 'What is the temperature of the oven?',
    fact: '"temperature": 245',
    isExact: true,
  },
  {
    name: 'printer.yaml',
    content: 'printer:\n  tray: 3\n  resolution: 1200 dpi\n',
    question: 'What is the resolution of the printer?',
    fact: '1200 dpi',
    isExact: true,
  },
  {
    name: 'crane.yml',
    content: '# The crane\ncrane:\n  height: 48 metres\n  load: 6 tonnes\n',
    question: 'What is the height of the crane?',
    fact: '48 metres',
    isExact: true,
  },
  code(
    'kettle.js',
    'function boilKettle() {\n  // The kettle boils for 95 seconds.\n  return wait(95)\n}\n',
    'How long does the kettle boil?',
    '95 seconds',
  ),
  code(
    'drone.ts',
    '/** The drone flies at most 80 metres high. */\nexport const ceiling: number = 80\n',
    'How high does the drone fly?',
    '80 metres',
  ),
  code(
    'tide.py',
    'def tide():\n    """The tide turns every 372 minutes."""\n    return 372\n',
    'How often does the tide turn?',
    '372 minutes',
  ),
  code(
    'Vault.java',
    'class Vault {\n  // The vault opens with 4 keys.\n  int keys = 4;\n}\n',
    'How many keys open the vault?',
    '4 keys',
  ),
  code(
    'rotor.c',
    '/* The rotor spins at 7200 turns a minute. */\nint main(void) { return 0; }\n',
    'How fast does the rotor spin?',
    '7200 turns',
  ),
  code(
    'glacier.cpp',
    '// The glacier moves 19 centimetres a day.\nint glacier() { return 19; }\n',
    'How far does the glacier move?',
    '19 centimetres',
  ),
  code(
    'antenna.h',
    '/* The antenna is 31 millimetres long. */\n#define ANTENNA 31\n',
    'How long is the antenna?',
    '31 millimetres',
  ),
  code(
    'Ferry.cs',
    'class Ferry {\n  // The ferry leaves every 25 minutes.\n}\n',
    'How often does the ferry leave?',
    '25 minutes',
  ),
  code(
    'coupon.php',
    '<?php\n// The coupon expires after 60 days.\nfunction coupon() { return 60; }\n',
    'When does the coupon expire?',
    '60 days',
  ),
  code(
    'lantern.rb',
    '# The lantern burns for 11 hours.\ndef lantern\n  11\nend\n',
    'How long does the lantern burn?',
    '11 hours',
  ),
  code(
    'backup.sh',
    '#!/bin/sh\n# The backup is kept for 35 weeks.\nkeep() { find . -mtime +245; }\n',
    'How long is the backup kept?',
    '35 weeks',
  ),
  code(
    'cleanup.bat',
    '@echo off\r\nrem The cleanup removes logs older than 15 days.\r\n:start\r\n',
    'Which logs does the cleanup remove?',
    '15 days',
  ),
  code(
    'Badge.ps1',
    '# The badge is valid for 18 months.\nfunction Get-Badge { 18 }\n',
    'How long is the badge valid?',
    '18 months',
  ),
]

const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
)
const aliases = Array.from(
  { length: 9 },
  (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]\n`,
)
const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)

const activePdf = (action: string) =>
  samplePdf([[{ text: 'hello', x: 72, y: 700 }]], { catalog: `/OpenAction ${action}` })

/** Files that are rejected with 400, and a part of the message. */
const hostile: [what: string, name: string, content: Content, says: RegExp][] = [
  ['a PDF as text', 'a.txt', '%PDF-1.7\nhello', /contradicts/],
  ['an archive as HTML', 'a.html', sampleDocx(paragraph('x')), /contradicts/],
  ['a program as code', 'a.sh', '\x7fELF\x02\x01\x01', /contradicts/],
  ['a page that is a PDF too', 'a.html', '<!--%PDF-1.7--><p>x</p>\nstartxref\n9\n%%EOF\n', /contradicts/],
  ['binary data as code', 'a.py', 'MZ\x90\0\x03\0\0', /binary/],
  ['a PDF as Word', 'a.docx', samplePdf([[{ text: 'x', x: 1, y: 1 }]]), /contradicts/],
  ['text as Word', 'a.docx', 'hello', /not a Word document/],
  ['script in a PDF', 'a.pdf', activePdf('<< /S /JavaScript /JS (app.alert\\(1\\)) >>'), /JavaScript/],
  ['a PDF that starts a program', 'a.pdf', activePdf('<< /S /Launch /F (calc.exe) >>'), /not accepted/],
  ['a PDF that is cut off', 'a.pdf', samplePdf([[{ text: 'x', x: 1, y: 1 }]]).slice(0, 200), /PDF/],
  ['macros', 'a.docx', sampleDocx(paragraph('x'), [{ name: 'word/vbaProject.bin', content: 'x' }]), /macros/],
  ['an encrypted document', 'a.docx', Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(600)}`, 'hex'), /password/],
  ['an archive bomb', 'a.docx', sampleDocx('', [{ name: 'a', content: 'a'.repeat(9_000_000) }]), /unpacks/],
  [
    'an archive bomb that lies',
    'a.docx',
    sampleZip([contentTypes(), { ...documentPart('a'.repeat(9_000_000)), declared: 10_000 }]),
    /unpacks/,
  ],
  ['an entity bomb', 'a.xml', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]><a>&l9;</a>`, /entities/],
  [
    'an external entity',
    'a.xml',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    /entities/,
  ],
  ['deep XML', 'a.xml', deep('<a>', '</a>'), /nested too deeply/],
  ['deep HTML', 'a.html', deep('<div>', '</div>'), /nested too deeply/],
  ['deep JSON', 'a.json', deep('[', ']'), /nested too deeply/],
  ['deep YAML', 'a.yml', deep('[', ']'), /nested too deeply/],
  ['an alias bomb', 'a.yaml', `l0: &l0 [ha, ha]\n${aliases.join('')}`, /unpacks/],
  ['broken XML', 'a.xml', '<a><b></a>', /malformed in line 1/],
  ['broken JSON', 'a.json', '{"a":', /malformed/],
  ['broken YAML', 'a.yaml', 'a: [1', /malformed/],
  ['broken CSV', 'a.csv', 'a,b\n"c,1\n', /quote/],
  ['HTML without text', 'a.html', '<script>alert(1)</script>', /no text/],
  ['an empty Word document', 'a.docx', sampleDocx(''), /no text/],
  ['code of spaces', 'a.js', ' \n\t\n', /no text/],
]

describe.each(sharedServers)('file types, on $database', ({ database, server }) => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant(server.url)
  })

  function upload(name: string, content: Content): Promise<Answer> {
    return tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, uploadForm(name, content))
  }

  it('are all covered by the samples', () => {
    const tried = samples.map(({ name }) => name.split('.').at(-1))
    expect(tried.sort()).toEqual([...supportedExtensions].sort())
  })

  it.each(samples)(
    '$name is searchable, and answers cite it',
    async ({ name, content, question, fact, isExact }) => {
      const { status, text, body: uploaded } = await upload(name, content)
      expect(status, text).toBe(200)
      expect(uploaded.filename).toBe(name)
      const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })
      const cited = [...body.answer.matchAll(/\[\^(\d+)\]/g)].map(([, index]) => body.context[Number(index)])
      const chunk = cited.find(({ file_id }) => file_id === uploaded.file_id)
      expect(chunk?.chunk_text, body.answer).toContain(fact)
      if (isExact) expect(content).toContain(chunk.chunk_text)
    },
  )

  // The other files are not stored, so one database is enough.
  if (database !== 'SQLite') return

  it('are all read by /extract-pdf-text, which stores nothing', async () => {
    const before = await tenantStateOf(server.url, tenant)
    const admin = Api.admin(server.url)
    for (const { name, content, fact, isExact } of samples) {
      const { body } = await admin.ok('POST', '/extract-pdf-text', uploadForm(name, content))
      expect(body.filename).toBe(name)
      expect(body.text).toContain(fact)
      if (isExact) expect(body.text).toBe(content)
      expect(body.extracted_text_length).toBe(body.text.length)
    }
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it.each(hostile)('%s is rejected with 400, and nothing is stored', async (_, name, content, says) => {
    const before = await tenantStateOf(server.url, tenant)
    const answer = await upload(name, content)
    expectRefusal(answer, { status: 400, project: false })
    expect(answer.body.detail).toMatch(says)
    expect(await tenantStateOf(server.url, tenant)).toBe(before)
  })

  it.each(['a.doc', 'a.docm', 'a.xlsx', 'a.exe', 'a.zip', 'a.htm', 'a'])(
    '%s is rejected with 415',
    async (name) => {
      const answer = await upload(name, 'hello')
      expectRefusal(answer, { status: 415, project: false, names: 'docx' })
    },
  )
})
