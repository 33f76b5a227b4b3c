import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type IndexDocument, segmentOf } from '@cairn/server/bench/retrieval'

/** A test collection: documents, queries and relevance judgements. */
export interface Collection {
  name: string
  corpus: readonly Entry[]
  queries: readonly Entry[]
  /** Relevance by document id, for each query id. */
  judgments: ReadonlyMap<string, Judgments>
}

interface Entry {
  _id: string
  title?: string
  text: string
}

type Judgments = ReadonlyMap<string, number>

const names = ['cranfield', 'cacm', 'cookbook-code']
const defaultFolder = resolve(import.meta.dirname, '../../../../shared/data/retrieval')

/** The collections in BEIR format in a folder. A missing collection is reported and not measured. */
export function loadCollections(
  folder: string = process.env.CAIRN_BENCH_COLLECTIONS ?? defaultFolder,
): Collection[] {
  return names.flatMap((name) => {
    const path = resolve(folder, name)
    if (existsSync(resolve(path, 'corpus.jsonl'))) return [load(name, path)]
    console.error(`MISSING: test collection ${name} is not in ${folder}; it was NOT measured`)
    return []
  })
}

/**
 * The answerable questions of `squad-a` as a collection: entries are the paragraphs of its articles. The paragraphs of
 * the question's article that contain an accepted answer are relevant.
 */
export function loadParagraphs(): Collection | undefined {
  const folder = resolve(defaultFolder, '../answers/squad-a')
  if (!existsSync(folder)) {
    console.error(`MISSING: ${folder}; squad-a was NOT measured`)
    return undefined
  }
  const articles = JSON.parse(readFileSync(resolve(folder, 'documents.json'), 'utf8')) as Article[]
  const questions = readLines(folder, 'questions.jsonl')
    .map((line) => JSON.parse(line) as Question)
    .filter(({ answers }) => answers.length > 0)
  const corpus = articles.flatMap(({ title, text }) =>
    text
      .split('\n\n')
      .slice(1)
      .map((paragraph, at) => ({ _id: `${title}#${at}`, title, text: paragraph })),
  )
  const judgments = questions.map(({ id, doc, answers }): [string, Judgments] => {
    const relevant = corpus.filter(
      ({ title, text }) => title === doc && answers.some((answer) => text.includes(answer)),
    )
    return [id, new Map(relevant.map(({ _id }) => [_id, 1]))]
  })
  const queries = questions.map(({ id, question }) => ({ _id: id, text: question }))
  return { name: 'squad-a', corpus, queries, judgments: new Map(judgments) }
}

interface Article {
  title: string
  text: string
}

interface Question {
  id: string
  /** Title of the article. */
  doc: string
  question: string
  answers: readonly string[]
}

/** The entries as documents of a search index, each with one chunk. */
export function documentsOf({ corpus }: Collection): IndexDocument[] {
  return corpus.map(({ _id, title, text }) => ({
    fileId: _id,
    scopeValues: {},
    chunkIds: [_id],
    segment: segmentOf('', [{ text, headingPath: title ? [title] : [] }]),
  }))
}

function load(name: string, folder: string): Collection {
  const entries = (file: string) => readLines(folder, file).map((line) => JSON.parse(line) as Entry)
  return {
    name,
    corpus: entries('corpus.jsonl'),
    queries: entries('queries.jsonl'),
    judgments: readJudgments(folder),
  }
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

export interface Quality {
  ndcg10: number
  recall5: number
}

/** Means over all queries of the metrics of a search, whose results are document ids, best first. */
export function measureQuality(
  { queries, judgments }: Collection,
  found: ReadonlyMap<string, readonly string[]>,
): Quality {
  const each = queries.map(({ _id }) => measureQuery(found.get(_id) ?? [], judgments.get(_id) ?? new Map()))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { ndcg10: mean(each.map(({ ndcg10 }) => ndcg10)), recall5: mean(each.map(({ recall5 }) => recall5)) }
}

function measureQuery(found: readonly string[], judged: Judgments): Quality {
  const relevant = [...judged].filter(([, score]) => score > 0).map(([id]) => id)
  const hits = relevant.filter((id) => found.slice(0, 5).includes(id)).length
  const ideal = gain([...judged.values()].sort((a, b) => b - a))
  const ndcg10 = ideal === 0 ? 0 : gain(found.map((id) => judged.get(id) ?? 0)) / ideal
  return { ndcg10, recall5: relevant.length === 0 ? 0 : hits / relevant.length }
}

/** Discounted cumulative gain at 10: the sum of 2^score - 1 over log2(rank + 1). */
function gain(scores: readonly number[]): number {
  return scores.slice(0, 10).reduce((sum, score, at) => sum + (2 ** score - 1) / Math.log2(at + 2), 0)
}
