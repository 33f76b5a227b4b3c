import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type Provider, type ProviderAccess, versioned } from '../provider.ts'
import { fetchWithReason } from './done-marker.ts'

/** Any server with OpenAI's chat completions API: Ollama, vLLM, LM Studio and others. */
export function compatible({ apiKey, baseUrl, headers }: ProviderAccess): Provider {
  if (!baseUrl) throw new Error('an OpenAI-compatible server needs a base URL')
  const provider = createOpenAICompatible({
    name: 'compatible',
    baseURL: versioned(baseUrl, 'v1'),
    fetch: fetchWithReason,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey && { apiKey }),
    ...(headers && { headers: { ...headers } }),
  })
  return { chat: (id) => provider.chatModel(id), embedding: (id) => provider.embeddingModel(id) }
}
