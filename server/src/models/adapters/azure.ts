import { createAzure } from '@ai-sdk/azure'
import type { Provider, ProviderAccess } from '../provider.ts'
import { boundedFetch } from './bounded-fetch.ts'

/** Azure OpenAI; a model's id is the name of its deployment. */
export function azure({ apiKey = '', baseUrl, headers }: ProviderAccess): Provider {
  if (!baseUrl) throw new Error('Azure OpenAI needs the base URL of a resource')
  const provider = createAzure({
    apiKey,
    baseURL: withOpenAiPath(baseUrl),
    fetch: boundedFetch,
    ...(headers && { headers: { ...headers } }),
  })
  return { chat: (id) => provider.chat(id), embedding: (id) => provider.embedding(id) }
}

/** Adds the path of the API to a base URL without a path, such as the endpoint that Azure's portal shows. */
function withOpenAiPath(baseUrl: string): string {
  const url = new URL(baseUrl)
  return url.pathname === '/' ? new URL('openai/v1', url).href : baseUrl
}
