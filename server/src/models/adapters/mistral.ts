import { createMistral } from '@ai-sdk/mistral'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function mistral({ apiKey = '', baseUrl, headers }: ProviderAccess): Provider {
  const provider = createMistral({
    apiKey,
    fetch: boundedFetch,
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'v1') }),
  })
  return { chat: (id) => provider(id), embedding: (id) => provider.embedding(id) }
}
