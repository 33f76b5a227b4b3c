import { createOpenAI } from '@ai-sdk/openai'
import type { Provider, ProviderAccess } from '../provider.ts'

/** OpenAI, or a server that speaks its API; chat completions, which most of those speak. */
export function openai({ apiKey, baseUrl }: ProviderAccess): Provider {
  const provider = createOpenAI({ ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }) })
  return { chat: (id) => provider.chat(id), embedding: (id) => provider.embedding(id) }
}
