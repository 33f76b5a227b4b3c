import type { ProviderName } from './provider.ts'

/** The built-in answerer: sentences of the documents, no model provider. */
export const extractiveModel = 'cairn-extractive'

export interface KnownModel {
  /** As requests and settings name it. */
  name: string
  provider: ProviderName
  /** The provider's own name of it. */
  id: string
}

/** What answers unless something else is asked for. */
export const defaultModel = 'gpt-4o-mini'

/** The models that the contract names, with what the credit table adds; the first of a provider is its default. */
export const builtInModels: readonly KnownModel[] = [
  { name: defaultModel, provider: 'openai', id: 'gpt-4o-mini' },
  { name: 'gpt-4o', provider: 'openai', id: 'gpt-4o' },
  { name: 'gpt-4', provider: 'openai', id: 'gpt-4' },
  { name: 'gpt-4-turbo', provider: 'openai', id: 'gpt-4-turbo' },
  { name: 'claude-3-haiku', provider: 'anthropic', id: 'claude-3-haiku-20240307' },
  { name: 'claude-3-sonnet', provider: 'anthropic', id: 'claude-3-sonnet-20240229' },
  { name: 'claude-3.5-sonnet', provider: 'anthropic', id: 'claude-3-5-sonnet-20241022' },
  { name: 'claude-3-opus', provider: 'anthropic', id: 'claude-3-opus-20240229' },
  { name: 'gemini-pro', provider: 'google', id: 'gemini-pro' },
  { name: 'gemini-1.5-pro', provider: 'google', id: 'gemini-1.5-pro' },
]

/**
 * Approximate number of tokens: a quarter of the UTF-8 bytes, the rule of thumb providers give for English.
 * The built-in answerer has no tokenizer of its own to count with.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}
