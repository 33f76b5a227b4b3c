import { createOpenAI } from '@ai-sdk/openai'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { fetchWithReason } from './done-marker.ts'

/** OpenAI, or a server with its API. Uses chat completions, which most such servers support. */
export function openai({ apiKey, baseUrl, headers }: ProviderAccess): Provider {
  const provider = createOpenAI({
    fetch: fetchWithReason,
    ...(apiKey && { apiKey }),
    ...(headers && { headers: { ...headers } }),
    ...(baseUrl && { baseURL: versioned(baseUrl, 'v1') }),
  })
  return { chat: (id) => provider.chat(id), embedding: (id) => provider.embedding(id) }
}
