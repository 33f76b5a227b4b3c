import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { hasSharedData, sharedDocument } from '../support/shared-data.ts'

interface DocumentFacts {
  file: string
  no_text?: boolean
  questions: { question: string; fact: string[] }[]
}

const facts = JSON.parse(
  readFileSync(new URL('./fixtures/document-facts.json', import.meta.url), 'utf8'),
) as DocumentFacts[]

/** Collapses white space, because line breaks depend on the extraction. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase()
}

/** The context entries that the markers of the answer cite. */
function citedEntries(body: { answer: string; context: { chunk_text: string; filename: string }[] }) {
  const indexes = [...body.answer.matchAll(/\[\^(\d+)\]/g)].map(([, index]) => Number(index))
  return [...new Set(indexes)].flatMap((index) => body.context[index] ?? [])
}

describe.skipIf(!hasSharedData('questions about the real documents')).each(sharedServers)(
  'real documents in one chat, on $database',
  ({ database, server }) => {
    let tenant: Tenant
    const readable = facts.filter(({ no_text }) => !no_text)
    // Extraction and answers are the same on both databases, so the second one stores only some of the documents.
    const stored = database === 'SQLite' ? readable : readable.slice(0, 2)

    beforeAll(async () => {
      tenant = await createTenant(server.url)
      for (const { file } of stored) {
        const form = uploadForm(file, readFileSync(sharedDocument(file)))
        await tenant.chat.ok('POST', `/v1/${tenant.chatId}/upload_with_scopes`, form)
      }
    })

    it('cover every document with five questions', () => {
      expect(readable).toHaveLength(9)
      for (const { file, questions } of readable) expect(questions, file).toHaveLength(5)
    })

    it('reject the document with only scanned pages, with this reason', async () => {
      const scanned = facts.filter(({ no_text }) => no_text)
      expect(scanned).toHaveLength(1)
      for (const { file } of scanned) {
        const form = uploadForm(file, readFileSync(sharedDocument(file)))
        const { status, body } = await tenant.chat.post(`/v1/${tenant.chatId}/upload_with_scopes`, form)
        expect(status).toBe(400)
        expect(body.detail).toMatch(/scanned|OCR/)
      }
    })

    describe.each(stored)('$file', ({ file, questions }) => {
      it.each(questions)('$question', async ({ question, fact }) => {
        const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })
        const cited = citedEntries(body)
        const found = cited.find(({ chunk_text }) =>
          fact.some((text) => squeeze(chunk_text).includes(squeeze(text))),
        )
        expect(found, `no cited chunk holds ${fact.join(' | ')}:\n${body.answer}`).toBeDefined()
        expect(found?.filename).toBe(file)
      })
    })
  },
)
