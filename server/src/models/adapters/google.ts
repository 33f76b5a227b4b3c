import { createGoogle } from '@ai-sdk/google'
import type { Provider, ProviderAccess } from '../provider.ts'

export function google({ apiKey, baseUrl }: ProviderAccess): Provider {
  const provider = createGoogle({ ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }) })
  return { chat: (id) => provider(id), embedding: (id) => provider.embedding(id) }
}
