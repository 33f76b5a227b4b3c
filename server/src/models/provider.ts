import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderName } from '@cairn/contract'

export type { ProviderName }

/** Credentials and address of a provider. */
export interface ProviderAccess {
  apiKey: string | undefined
  baseUrl: string | undefined
}

/** A provider's models through the AI SDK; ids are the provider's own. */
export interface Provider {
  chat(id: string): LanguageModelV4
  /** Undefined if the provider has no embeddings. */
  embedding?(id: string): EmbeddingModelV4
}

/** Adds the provider's usual version to a base URL without a path; other URLs stay unchanged. */
export function versioned(baseUrl: string, version: string): string {
  const url = new URL(baseUrl)
  return url.pathname === '/' ? new URL(version, url).href : baseUrl
}
