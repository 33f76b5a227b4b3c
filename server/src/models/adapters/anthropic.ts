import { createAnthropic } from '@ai-sdk/anthropic'
import type { Provider, ProviderAccess } from '../provider.ts'

export function anthropic({ apiKey, baseUrl }: ProviderAccess): Provider {
  const provider = createAnthropic({ ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }) })
  return { chat: (id) => provider(id) }
}
