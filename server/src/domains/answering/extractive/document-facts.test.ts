import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { chunkText } from '../../documents/extraction/chunking.ts'
import { extractText } from '../../documents/extraction/extract.ts'
import { ChatIndex } from '../../retrieval/search/chat-index.ts'
import { Query } from '../../retrieval/search/query.ts'
import { segmentOf } from '../../retrieval/segments/segment.ts'
import { Scratch } from '../../retrieval/wasm/scratch.ts'
import { Question } from '../question/index.ts'
import { answerExtractively, type ContextEntry } from './extractive.ts'
import { rankPassages } from './ranking.ts'

const scratch = new Scratch()

interface FactFile {
  file: string
  /** `fact`: alternative wordings; one must be found, ignoring case and white space. */
  questions: { question: string; fact: string[] }[]
  no_text?: boolean
}

const root = resolve(import.meta.dirname, '../../../../..')
const folder = resolve(root, '../shared/data/documents')
const fixture = resolve(root, 'e2e/http/fixtures/document-facts.json')
const isThere = existsSync(folder) && existsSync(fixture)
if (!isThere) console.warn(`SKIPPED: facts in real documents, ${folder} or ${fixture} is missing`)

const normalize = (text: string) => text.toLowerCase().replace(/\s+/g, ' ')
const contains = (text: string, fact: readonly string[]) =>
  fact.some((wording) => normalize(text).includes(normalize(wording)))

describe.skipIf(!isThere)('facts in similar real documents, all in one index', () => {
  const files = isThere ? (JSON.parse(readFileSync(fixture, 'utf8')) as FactFile[]) : []
  const entries = new Map<string, Omit<ContextEntry, 'score'>>()
  const index = new ChatIndex(scratch)

  beforeAll(async () => {
    for (const { file } of files.filter(({ no_text }) => !no_text)) {
      const document = await extractText(new Uint8Array(readFileSync(resolve(folder, file))), 'pdf')
      const chunks = chunkText(document).map((chunk) => ({ ...chunk, chunkId: `${file}#${chunk.order}` }))
      for (const { chunkId, text } of chunks)
        entries.set(chunkId, { chunk_id: chunkId, chunk_text: text, filename: file })
      const chunkIds = chunks.map(({ chunkId }) => chunkId)
      index.addDocument({ fileId: file, scopeValues: {}, chunkIds, segment: segmentOf(file, chunks) })
    }
  }, 30_000)

  function ask(question: string): { context: ContextEntry[]; answer: string; cited: ContextEntry[] } {
    const context = index.search(new Query(question), { limit: 8 }).map(({ chunkId, score }) => {
      const entry = entries.get(chunkId)
      if (!entry) throw new Error(`unknown chunk ${chunkId}`)
      return { ...entry, score }
    })
    const { answer, citations } = answerExtractively(rankPassages(new Question(question), context), context)
    return { context, answer, cited: citations.flatMap((citation) => context[citation.index] ?? []) }
  }

  const rows = files.flatMap(({ file, questions }) => questions.map((row) => ({ file, ...row })))
  const share = (holds: (row: (typeof rows)[number]) => boolean) => rows.filter(holds).length / rows.length

  test('there are enough questions for a meaningful result', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40)
  })

  test('the best chunk is from the right file for 90 % of the questions', () => {
    expect(share(({ question, file }) => ask(question).context[0]?.filename === file)).toBeGreaterThanOrEqual(
      0.9,
    )
  })

  test('a cited chunk of the right file contains the fact for 95 % of the questions', () => {
    const isCited = ({ question, fact, file }: (typeof rows)[number]) =>
      ask(question).cited.some(({ filename, chunk_text }) => filename === file && contains(chunk_text, fact))
    expect(share(isCited)).toBeGreaterThanOrEqual(0.95)
  })

  test('the answer contains the fact for 90 % of the questions', () => {
    expect(share(({ question, fact }) => contains(ask(question).answer, fact))).toBeGreaterThanOrEqual(0.9)
  })

  test('a question about something else is not answered', () => {
    for (const question of [
      'What is the capital of Mongolia?',
      'How do I reset my password?',
      'Who wrote Hamlet?',
    ]) {
      expect(ask(question)).toMatchObject({ cited: [], answer: expect.stringMatching(/nothing relevant/i) })
    }
  })
})
