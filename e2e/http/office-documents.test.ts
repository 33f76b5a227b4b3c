import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, markersOf } from '../support/answers.ts'
import { type Answer, Api, createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

const folder = new URL('./fixtures/libreoffice/', import.meta.url)

const guide = [
  ['When was the hide at Pebble Point rebuilt?', '1998'],
  ['How many people does the hide hold?', 'fourteen people'],
  ['When does the hide close in July?', '21:40'],
  ['How long does high water cut off the causeway?', 'three hours'],
  ['Who counts the terns?', 'Two people'],
] as const
const letter = [
  ['Ab wann können Gäste das Zimmer beziehen?', '15 Uhr'],
  ['Was kosten Hunde je Nacht?', '12 Euro'],
  ['Wann wird das Frühstück serviert?', 'halb zehn'],
] as const

const files = [
  { file: 'guide.docx', facts: guide, heading: 'Opening hours' },
  { file: 'guide.html', facts: guide, heading: 'Opening hours' },
  { file: 'guide.pdf', facts: guide, heading: undefined },
  { file: 'letter.docx', facts: letter, heading: 'Haustiere' },
  { file: 'letter.html', facts: letter, heading: 'Haustiere' },
]

describe.each(sharedServers)('documents of LibreOffice, on $database', ({ database, server }) => {
  let tenant: Tenant
  // Extraction is the same on both databases, so the second one stores only one of the documents.
  const stored = database === 'SQLite' ? files : files.slice(0, 1)

  beforeEach(async () => {
    tenant = await createTenant(server.url)
  })

  it.each(stored)('$file contains its facts under its headings', async ({ file, facts, heading }) => {
    const form = uploadForm(file, readFileSync(new URL(file, folder)))
    await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
    for (const [question, fact] of facts) {
      const { body } = await ask(tenant, question)
      const cited = markersOf(body.answer).map((index) => body.context[index].chunk_text.replace(/\s+/g, ' '))
      expect(
        cited.some((text) => text.includes(fact)),
        `${question}\n${body.answer}`,
      ).toBe(true)
      expect(body.answer.replace(/\s+/g, ' '), question).toContain(fact)
    }
    const { body: graph } = await Api.admin(server.url).ok('GET', `/graph_data/${tenant.chatId}`)
    const text = graph.nodes.map((node: Answer['body']) => node.properties.text ?? '').join('\n')
    if (heading) expect(text.split('\n').map((line: string) => line.trim())).toContain(heading)
    expect(text).not.toMatch(/<\/?(?:p|td|span|font)\b/)
  })
})
