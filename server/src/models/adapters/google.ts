import { createGoogle } from '@ai-sdk/google'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function google({ apiKey, baseUrl, headers }: ProviderAccess): Provider {
  const provider = createGoogle({
    fetch: boundedFetch,
    ...(apiKey && { apiKey }),
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'v1beta') }),
  })
  return { chat: (id) => provider(id), embedding: (id) => provider.embedding(id) }
}
