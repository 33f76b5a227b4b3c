import { createGoogleVertex } from '@ai-sdk/google-vertex/edge'
import type { Provider, ProviderAccess } from '../provider.ts'
import { isServiceAccount, parseServiceAccount } from '../service-account.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { serviceAccountTokens } from './service-account-tokens.ts'

const express = 'https://aiplatform.googleapis.com/v1/publishers/google'

/**
 * Google's models on Vertex AI. The key is the JSON key of a service account, or an API key of the express mode. No other
 * credentials are used: nothing is read from files, from variables or from a metadata server.
 */
export function vertex({ apiKey = '', baseUrl, headers, options = {} }: ProviderAccess): Provider {
  const account = isServiceAccount(apiKey) ? parseServiceAccount(apiKey) : undefined
  const project = options.project ?? account?.projectId
  const provider = createGoogleVertex({
    baseURL: baseUrl ?? (account ? addressOf(project, options.location) : express),
    // With an API key, the SDK neither looks for credentials nor calls Google's own token endpoint.
    apiKey: account ? 'replaced by the token' : apiKey,
    fetch: account ? fetchWithToken(serviceAccountTokens(account)) : boundedFetch,
    ...(headers && { headers: { ...headers } }),
  })
  return { chat: (id) => provider(id), embedding: (id) => provider.embeddingModel(id) }
}

function addressOf(project = '', location = 'global'): string {
  const hosts: Record<string, string> = {
    global: 'aiplatform.googleapis.com',
    eu: 'aiplatform.eu.rep.googleapis.com',
    us: 'aiplatform.us.rep.googleapis.com',
  }
  const host = hosts[location] ?? `${location}-aiplatform.googleapis.com`
  return `https://${host}/v1/projects/${project}/locations/${location}/publishers/google`
}

function fetchWithToken(token: (signal?: AbortSignal | null) => Promise<string>): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('x-goog-api-key')
    headers.set('authorization', `Bearer ${await token(init?.signal)}`)
    return boundedFetch(input, { ...init, headers })
  }
}
