import type { EmbeddingModelV4, LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ProviderName } from '@cairn/contract'

export type { ProviderName }

/** Credentials and address of a provider. */
export interface ProviderAccess {
  apiKey: string | undefined
  baseUrl: string | undefined
  /** Additional headers of each call. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Settings that only this vendor has, such as a region. */
  options?: Readonly<Record<string, string>> | undefined
}

/** Some models embed a question differently from the documents that it is compared with. */
export type EmbeddingPurpose = 'document' | 'question'

/** A provider's models through the AI SDK; ids are the provider's own. */
export interface Provider {
  chat(id: string): LanguageModelV4
  /** Undefined if the provider has no embeddings. */
  embedding?(id: string): EmbeddingModelV4
  /** Options of an embedding call that this provider does not take in the standard form. */
  embeddingOptions?(purpose: EmbeddingPurpose, dimensions: number | undefined): SharedV4ProviderOptions
}

/** Adds the provider's usual version to a base URL without a path; other URLs stay unchanged. */
export function versioned(baseUrl: string, version: string): string {
  const url = new URL(baseUrl)
  return url.pathname === '/' ? new URL(version, url).href : baseUrl
}
