import { createAnthropic } from '@ai-sdk/anthropic'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

export function anthropic({ apiKey, baseUrl, headers }: ProviderAccess): Provider {
  const provider = createAnthropic({
    fetch: boundedFetch,
    ...(apiKey && { apiKey }),
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'v1') }),
  })
  return { chat: (id) => provider(id) }
}
