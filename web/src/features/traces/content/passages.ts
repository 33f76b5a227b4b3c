import { isObject, type JsonObject, textOf } from '@cairn/contract/conversations'

/** A passage that a retrieval has found. */
export interface Passage {
  text: string
  score: number | undefined
  /** A file name, title or address. */
  source: string | undefined
  /** The chunk in a document of a chat. */
  place: { chatId: string | undefined; fileId: string; chunkId: string | undefined } | undefined
  others: JsonObject
}

const lists = ['documents', 'results', 'passages', 'matches', 'context', 'chunks', 'data']
const textNames = ['chunk_text', 'text', 'content', 'page_content', 'pageContent', 'document', 'passage']
const sourceNames = ['filename', 'file_name', 'source', 'title', 'url']

/** The passages in the output of a retrieval; undefined if it has another form. */
export function passagesOf(value: unknown): Passage[] | undefined {
  const list = isObject(value) ? lists.map((name) => value[name]).find(Array.isArray) : value
  if (!Array.isArray(list) || list.length === 0) return undefined
  const passages = list.map(toPassage)
  return passages.every((passage) => passage !== undefined) ? passages : undefined
}

function toPassage(item: unknown): Passage | undefined {
  if (typeof item === 'string') {
    return { text: item, score: undefined, source: undefined, place: undefined, others: {} }
  }
  if (!isObject(item)) return undefined
  const metadata = isObject(item.metadata) ? item.metadata : {}
  const textName = textNames.find((name) => typeof item[name] === 'string')
  if (textName === undefined) return undefined
  const first = (names: readonly string[]) =>
    names.map((name) => textOf(item[name]) ?? textOf(metadata[name])).find((text) => text !== undefined)
  const score = [item.score, item.similarity, item.relevance_score].find((one) => typeof one === 'number')
  const fileId = first(['file_id'])
  const shown = new Set([
    textName,
    'score',
    'similarity',
    'relevance_score',
    ...sourceNames,
    'file_id',
    'chunk_id',
    'chat_id',
  ])
  return {
    text: item[textName] as string,
    score,
    source: first(sourceNames),
    place:
      fileId === undefined ? undefined : { fileId, chunkId: first(['chunk_id']), chatId: first(['chat_id']) },
    others: Object.fromEntries(Object.entries(item).filter(([name]) => !shown.has(name))),
  }
}
