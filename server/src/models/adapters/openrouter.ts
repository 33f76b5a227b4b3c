import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function openrouter({ apiKey = '', baseUrl, headers }: ProviderAccess): Provider {
  const provider = createOpenRouter({
    apiKey,
    compatibility: 'strict',
    fetch: boundedFetch,
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'api/v1') }),
  })
  return { chat: (id) => provider.chat(id), embedding: (id) => provider.textEmbeddingModel(id) }
}
