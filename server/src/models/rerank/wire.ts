import type { RankedPassage } from './rerank-model.ts'

/** Services and servers with the usual `/rerank` endpoint. */
export type RerankVendor = 'cohere' | 'jina' | 'voyage' | 'tei' | 'vllm'

interface Wire {
  /** Without it, a base URL must be configured. */
  baseUrl?: string
  /** The version in the path of a base URL without a path. */
  version: string
  /** Name of the field with the passages. */
  passages: 'documents' | 'texts'
  /** The model is chosen at the start of the server, and the request names none. */
  isOneModel?: true
  /** Further fields of the request. */
  options: Readonly<Record<string, unknown>>
  /** Name of the field of the response with the results; without it, the response itself is the list. */
  results?: 'results' | 'data'
  score: 'relevance_score' | 'score'
}

/**
 * The differences between the servers. None of them gets `top_n`: each returns a score for every passage then, so that a
 * missing passage is a fault. Passages are not sent back if the server can leave them out.
 */
export const wires: Readonly<Record<RerankVendor, Wire>> = {
  cohere: {
    baseUrl: 'https://api.cohere.com/v2',
    version: 'v2',
    passages: 'documents',
    options: {},
    results: 'results',
    score: 'relevance_score',
  },
  jina: {
    baseUrl: 'https://api.jina.ai/v1',
    version: 'v1',
    passages: 'documents',
    options: { return_documents: false },
    results: 'results',
    score: 'relevance_score',
  },
  voyage: {
    baseUrl: 'https://api.voyageai.com/v1',
    version: 'v1',
    passages: 'documents',
    options: { return_documents: false, truncation: true },
    results: 'data',
    score: 'relevance_score',
  },
  // Hugging Face Text Embeddings Inference.
  tei: {
    version: '',
    passages: 'texts',
    isOneModel: true,
    options: { raw_scores: false, return_text: false, truncate: true },
    score: 'score',
  },
  // Its path `/v1/rerank` follows Jina's API; other servers, such as llama.cpp, Infinity and LiteLLM, have the same path.
  vllm: {
    version: 'v1',
    passages: 'documents',
    options: {},
    results: 'results',
    score: 'relevance_score',
  },
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * The ranking of a response, best first. Undefined if it is invalid: every passage must occur exactly once, with a finite
 * score.
 */
export function readRanking(
  body: unknown,
  { results, score }: Wire,
  count: number,
): RankedPassage[] | undefined {
  const list = results === undefined ? body : isObject(body) ? body[results] : undefined
  if (!Array.isArray(list) || list.length !== count) return undefined
  const scores = new Map<number, number>()
  for (const item of list as unknown[]) {
    if (!isObject(item)) return undefined
    const { index, [score]: value } = item
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count) return undefined
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    scores.set(Number(index), value)
  }
  if (scores.size !== count) return undefined
  return byScore(scores)
}

/** Passages by descending score; equal scores keep the order of the request. */
export function byScore(
  scores: Iterable<[index: number, score: number]>,
): { index: number; score: number }[] {
  return [...scores]
    .map(([index, score]) => ({ index, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
}

/** Many times more than any call can use. */
const maxUnits = 1e9

function countIn(value: unknown, ...path: string[]): number | undefined {
  const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value)
  return Number.isInteger(found) && Number(found) >= 0 && Number(found) <= maxUnits
    ? Number(found)
    : undefined
}

/** The tokens of a response (Jina, Voyage, vLLM) and its search units (Cohere), if they can be right. */
export function readUsage(body: unknown): { tokens: number | undefined; searchUnits: number | undefined } {
  return {
    tokens: countIn(body, 'usage', 'total_tokens') ?? countIn(body, 'meta', 'tokens', 'input_tokens'),
    searchUnits: countIn(body, 'meta', 'billed_units', 'search_units'),
  }
}
