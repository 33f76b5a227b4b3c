import type { ProviderName } from './provider.ts'

/** The built-in answerer: sentences of the documents, no model provider. */
export const extractiveModel = 'cairn-extractive'

export interface KnownModel {
  /** As requests and settings name it. */
  name: string
  provider: ProviderName
  /** The provider's own name of it. */
  id: string
  /** Tokens of prompt and answer together, where it is known. */
  contextWindow?: number
}

/** What answers unless something else is asked for. */
export const defaultModel = 'gpt-4o-mini'

/** The models that the contract names, with what the credit table adds; the first of a provider is its default. */
export const builtInModels: readonly KnownModel[] = [
  { name: defaultModel, provider: 'openai', id: 'gpt-4o-mini', contextWindow: 128_000 },
  { name: 'gpt-4o', provider: 'openai', id: 'gpt-4o', contextWindow: 128_000 },
  { name: 'gpt-4', provider: 'openai', id: 'gpt-4', contextWindow: 8_192 },
  { name: 'gpt-4-turbo', provider: 'openai', id: 'gpt-4-turbo', contextWindow: 128_000 },
  { name: 'claude-3-haiku', provider: 'anthropic', id: 'claude-3-haiku-20240307', contextWindow: 200_000 },
  { name: 'claude-3-sonnet', provider: 'anthropic', id: 'claude-3-sonnet-20240229', contextWindow: 200_000 },
  {
    name: 'claude-3.5-sonnet',
    provider: 'anthropic',
    id: 'claude-3-5-sonnet-20241022',
    contextWindow: 200_000,
  },
  { name: 'claude-3-opus', provider: 'anthropic', id: 'claude-3-opus-20240229', contextWindow: 200_000 },
  { name: 'gemini-pro', provider: 'google', id: 'gemini-pro', contextWindow: 32_760 },
  { name: 'gemini-1.5-pro', provider: 'google', id: 'gemini-1.5-pro', contextWindow: 2_097_152 },
]

/** Embedding models whose size is known; `provider/id`, as CAIRN_EMBEDDING_MODEL names them. */
export const knownEmbeddings: ReadonlyMap<string, { dimensions: number; contextWindow: number }> = new Map([
  ['openai/text-embedding-3-small', { dimensions: 1536, contextWindow: 8_192 }],
  ['openai/text-embedding-3-large', { dimensions: 3072, contextWindow: 8_192 }],
  ['openai/text-embedding-ada-002', { dimensions: 1536, contextWindow: 8_192 }],
  ['google/gemini-embedding-001', { dimensions: 3072, contextWindow: 2_048 }],
])

/**
 * Approximate number of tokens: a quarter of the UTF-8 bytes, the rule of thumb providers give for English.
 * The built-in answerer has no tokenizer of its own to count with.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
