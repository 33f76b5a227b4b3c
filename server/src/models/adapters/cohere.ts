import { createCohere } from '@ai-sdk/cohere'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function cohere({ apiKey = '', baseUrl, headers }: ProviderAccess): Provider {
  const provider = createCohere({
    apiKey,
    fetch: boundedFetch,
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'v2') }),
  })
  return {
    chat: (id) => provider(id),
    embedding: (id) => provider.embedding(id),
    embeddingOptions: (purpose, dimensions) => ({
      cohere: {
        inputType: purpose === 'document' ? 'search_document' : 'search_query',
        ...(dimensions && { outputDimension: dimensions }),
      },
    }),
  }
}
