import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderName } from '@cairn/contract'

export type { ProviderName }

/** How a provider is reached. */
export interface ProviderAccess {
  apiKey: string | undefined
  baseUrl: string | undefined
}

/** A provider's models as AI SDK speaks to them; ids are the provider's own. */
export interface Provider {
  chat(id: string): LanguageModelV4
  /** Undefined where the provider has no embeddings. */
  embedding?(id: string): EmbeddingModelV4
}

/** A base URL with a path stays as it is; one without gets the provider's usual version. */
export function versioned(baseUrl: string, version: string): string {
  const url = new URL(baseUrl)
  return url.pathname === '/' ? new URL(version, url).href : baseUrl
}
