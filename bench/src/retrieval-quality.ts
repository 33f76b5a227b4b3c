import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ChatIndex, segmentOf } from '@cairn/server/retrieval'

/** Quality of one test collection; the measures are means over all its queries. */
export interface SetQuality {
  set: string
  documents: number
  queries: number
  ndcg10: number
  recall5: number
  recall10: number
  buildMs: number
  queryP50Ms: number
}

export interface RetrievalQuality {
  results: SetQuality[]
  /** Collections that were not found: nothing is said about them. */
  missing: string[]
}

interface Entry {
  _id: string
  title?: string
  text: string
}

/** Relevance by document id, of one query. */
type Judgments = ReadonlyMap<string, number>

const sets = ['cranfield', 'cacm', 'cookbook-code']
const defaultFolder = resolve(import.meta.dirname, '../../../shared/data/retrieval')

/** Measures the index on the test collections in BEIR layout under `folder`. */
export function measureRetrievalQuality(folder: string = defaultFolder): RetrievalQuality {
  const isThere = (set: string) => existsSync(resolve(folder, set, 'corpus.jsonl'))
  const missing = sets.filter((set) => !isThere(set))
  for (const set of missing)
    console.error(`MISSING: test collection ${set} is not in ${folder}; it was NOT measured`)
  return { results: sets.filter(isThere).map((set) => measureSet(set, resolve(folder, set))), missing }
}

function measureSet(set: string, folder: string): SetQuality {
  const corpus = readLines(folder, 'corpus.jsonl').map((line) => JSON.parse(line) as Entry)
  const queries = readLines(folder, 'queries.jsonl').map((line) => JSON.parse(line) as Entry)
  const judgments = readJudgments(folder)
  const started = performance.now()
  const index = buildIndex(corpus)
  const buildMs = performance.now() - started
  const times: number[] = []
  const measured = queries.map(({ _id, text }) => {
    const asked = performance.now()
    const found = index.search(text, { limit: 10 }).map(({ chunkId }) => chunkId)
    times.push(performance.now() - asked)
    return measureQuery(found, judgments.get(_id) ?? new Map())
  })
  return {
    set,
    documents: corpus.length,
    queries: queries.length,
    ndcg10: mean(measured.map(({ ndcg10 }) => ndcg10)),
    recall5: mean(measured.map(({ recall5 }) => recall5)),
    recall10: mean(measured.map(({ recall10 }) => recall10)),
    buildMs: Math.round(buildMs),
    queryP50Ms: round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0),
  }
}

/** One document with one chunk for each entry; its title is the chunk's heading. */
function buildIndex(corpus: readonly Entry[]): ChatIndex {
  return new ChatIndex(
    corpus.map(({ _id, title, text }) => ({
      fileId: _id,
      scopeValues: {},
      chunkIds: [_id],
      segment: segmentOf('', [{ text, headingPath: title ? [title] : [] }]),
    })),
  )
}

function measureQuery(
  found: readonly string[],
  judged: Judgments,
): Record<'ndcg10' | 'recall5' | 'recall10', number> {
  const relevant = [...judged].filter(([, score]) => score > 0).map(([id]) => id)
  const recall = (depth: number) => {
    const hits = relevant.filter((id) => found.slice(0, depth).includes(id)).length
    return relevant.length === 0 ? 0 : hits / relevant.length
  }
  const ideal = gain([...judged.values()].sort((a, b) => b - a))
  const ndcg10 = ideal === 0 ? 0 : gain(found.map((id) => judged.get(id) ?? 0)) / ideal
  return { ndcg10, recall5: recall(5), recall10: recall(10) }
}

/** Discounted gain at 10: 2^score - 1 over log2(rank + 1). */
function gain(scores: readonly number[]): number {
  return scores.slice(0, 10).reduce((sum, score, at) => sum + (2 ** score - 1) / Math.log2(at + 2), 0)
}

function readJudgments(folder: string): Map<string, Map<string, number>> {
  const judgments = new Map<string, Map<string, number>>()
  for (const line of readLines(folder, 'qrels.tsv').slice(1)) {
    const [query = '', document = '', score = '0'] = line.split('\t')
    const ofQuery = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, ofQuery.set(document, Number(score)))
  }
  return judgments
}

function readLines(folder: string, name: string): string[] {
  return readFileSync(resolve(folder, name), 'utf8').trim().split('\n')
}

function mean(values: readonly number[]): number {
  return round(values.reduce((sum, value) => sum + value, 0) / (values.length || 1))
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

if (import.meta.main) console.log(JSON.stringify(measureRetrievalQuality(process.argv[2]), null, 2))
