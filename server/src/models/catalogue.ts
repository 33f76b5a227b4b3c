import type { ProviderName } from './provider.ts'

/** The built-in answerer. It returns sentences of the documents and needs no model provider. */
export const extractiveModel = 'cairn-extractive'

export interface KnownModel {
  /** The name in requests and settings. */
  name: string
  provider: ProviderName
  /** The name that the provider uses. */
  id: string
  /** Tokens of prompt and answer together, if known. */
  contextWindow?: number
}

/** Default model of answers. */
export const defaultModel = 'gpt-4o-mini'

/** The models of the contract and of the credit table. The first model of a provider is its default. */
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

/** Embedding models of known size, by `provider/id` as in CAIRN_EMBEDDING_MODEL. */
export const knownEmbeddings: ReadonlyMap<string, { dimensions: number; contextWindow: number }> = new Map([
  ['openai/text-embedding-3-small', { dimensions: 1536, contextWindow: 8_192 }],
  ['openai/text-embedding-3-large', { dimensions: 3072, contextWindow: 8_192 }],
  ['openai/text-embedding-ada-002', { dimensions: 1536, contextWindow: 8_192 }],
  ['google/gemini-embedding-001', { dimensions: 3072, contextWindow: 2_048 }],
])

/**
 * Approximate number of tokens: a quarter of the UTF-8 bytes, the rule of thumb of providers for English. The built-in
 * answerer has no tokenizer to count with.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
