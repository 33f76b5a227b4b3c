import type { ProviderName } from './provider.ts'
import { qualified } from './providers.ts'

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
  /** The provider no longer sells the model. Requests may still name it, because the name may stand for another id. */
  isRetired?: boolean
}

/** Default model of answers. */
export const defaultModel = 'gpt-4o-mini'

/** The first model of a provider that is not retired is its default. */
export const builtInModels: readonly KnownModel[] = [
  { name: defaultModel, provider: 'openai', id: 'gpt-4o-mini', contextWindow: 128_000 },
  ...named('openai', [
    'gpt-6.1-sol',
    'gpt-6-astra',
    'gpt-6-sol',
    'gpt-6-luna',
    'gpt-5.6-terra',
    'gpt-5.4-mini',
  ]),
  ...named('openai', ['gpt-4.1', 'gpt-4.1-mini']),
  { name: 'gpt-4o', provider: 'openai', id: 'gpt-4o', contextWindow: 128_000 },
  ...named('anthropic', ['claude-haiku-4-5', 'claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5']),
  ...named('google', ['gemini-3.8-flash', 'gemini-3.1-pro-preview', 'gemini-2.5-pro', 'gemini-2.5-flash']),
  ...named('mistral', ['mistral-large-latest', 'mistral-medium-latest', 'mistral-small-latest']),
  ...named('groq', ['openai/gpt-oss-120b', 'llama-3.3-70b-versatile']),
  ...named('cohere', ['command-a-03-2025']),
  ...retired('openai', [
    { name: 'gpt-4', id: 'gpt-4', contextWindow: 8_192 },
    { name: 'gpt-4-turbo', id: 'gpt-4-turbo', contextWindow: 128_000 },
  ]),
  ...retired('anthropic', [
    { name: 'claude-3-haiku', id: 'claude-3-haiku-20240307', contextWindow: 200_000 },
    { name: 'claude-3-sonnet', id: 'claude-3-sonnet-20240229', contextWindow: 200_000 },
    { name: 'claude-3.5-sonnet', id: 'claude-3-5-sonnet-20241022', contextWindow: 200_000 },
    { name: 'claude-3-opus', id: 'claude-3-opus-20240229', contextWindow: 200_000 },
  ]),
  ...retired('google', [
    { name: 'gemini-pro', id: 'gemini-pro', contextWindow: 32_760 },
    { name: 'gemini-1.5-pro', id: 'gemini-1.5-pro', contextWindow: 2_097_152 },
  ]),
]

function named(provider: ProviderName, ids: readonly string[]): KnownModel[] {
  return ids.map((id) => ({ name: qualified(provider, id), provider, id }))
}

/** Models of the contract and of the credit table that their providers no longer sell. */
function retired(
  provider: ProviderName,
  models: readonly Omit<KnownModel, 'provider' | 'isRetired'>[],
): KnownModel[] {
  return models.map((model) => ({ ...model, provider, isRetired: true }))
}

/** Embedding models of known size, by `provider/id` as in CAIRN_EMBEDDING_MODEL. */
export const knownEmbeddings: ReadonlyMap<string, { dimensions: number; contextWindow: number }> = new Map([
  ['openai/text-embedding-3-small', { dimensions: 1536, contextWindow: 8_192 }],
  ['openai/text-embedding-3-large', { dimensions: 3072, contextWindow: 8_192 }],
  ['openai/text-embedding-ada-002', { dimensions: 1536, contextWindow: 8_192 }],
  ['google/gemini-embedding-001', { dimensions: 3072, contextWindow: 2_048 }],
  ['mistral/mistral-embed', { dimensions: 1024, contextWindow: 8_192 }],
  ['cohere/embed-v4.0', { dimensions: 1536, contextWindow: 128_000 }],
])

/**
 * Approximate number of tokens: a quarter of the UTF-8 bytes, the rule of thumb of providers for English. The built-in
 * answerer has no tokenizer to count with.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
