import { createGroq } from '@ai-sdk/groq'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function groq({ apiKey = '', baseUrl, headers }: ProviderAccess): Provider {
  const provider = createGroq({
    apiKey,
    fetch: boundedFetch,
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'openai/v1') }),
  })
  return { chat: (id) => provider(id) }
}
