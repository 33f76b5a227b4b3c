import { beforeAll, describe, expect, it } from 'vitest'
import { markersOf } from '../support/answers.ts'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'
import { type FactQuestion, factCorpus } from '../support/fact-corpus.ts'

const count = 100
const needed = 0.98
const seed = Number(process.env.FACT_SEED ?? 20261122)
const { documents, questions } = factCorpus(seed, count, 32)

describe.each(sharedServers)('answers about facts with near misses, on $database', ({ server }) => {
  let tenant: Tenant
  const chunkCounts: number[] = []

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    for (const { filename, text } of documents) {
      const path = `/v1/${tenant.chatId}/upload_with_scopes`
      chunkCounts.push((await tenant.chat.ok('POST', path, uploadForm(filename, text))).body.chunk_count)
    }
  }, 60_000)

  it('have documents of at least twenty chunks each', () => {
    expect(chunkCounts).toHaveLength(count)
    expect(Math.min(...chunkCounts)).toBeGreaterThanOrEqual(20)
  })

  /** Describes the fault of an answer; undefined for a correct one. */
  async function faultOf({ question, name, value, filename }: FactQuestion): Promise<string | undefined> {
    const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })
    const details = `${question} -> ${value} (${filename})\n${body.answer}`
    // The passage of the first marker is the answer; other passages may add details.
    const markers = markersOf(body.answer)
    const first = body.answer.split(/\[\^\d+\]/).filter((_: string, at: number) => markers[at] === markers[0])
    if (!first.join('').includes(value)) return `another value: ${details}`
    const chunk = body.context[markers[0] ?? -1]
    if (!chunk?.chunk_text.includes(value)) return `the cited chunk does not contain the value: ${details}`
    if (chunk.filename !== filename) return `another document: ${details}`
    return chunk.chunk_text.includes(name)
      ? undefined
      : `the cited chunk does not contain the name: ${details}`
  }

  it('begin with the requested value, and cite the chunk that contains it', async () => {
    const faults: string[] = []
    for (const question of questions) {
      const fault = await faultOf(question)
      if (fault) faults.push(fault)
    }
    const share = 1 - faults.length / questions.length
    expect(share, faults.join('\n\n')).toBeGreaterThanOrEqual(needed)
  }, 60_000)
})
