import { type VendorName, vendorNames } from '@cairn/contract'
import type { Provider, ProviderAccess, ProviderName } from './provider.ts'

/** Loaded on first use, because each adapter takes about 25 MB, which a server without a provider does not need. */
const adapters: Record<VendorName, (access: ProviderAccess) => Promise<Provider>> = {
  openai: async (access) => (await import('./adapters/openai.ts')).openai(access),
  anthropic: async (access) => (await import('./adapters/anthropic.ts')).anthropic(access),
  google: async (access) => (await import('./adapters/google.ts')).google(access),
  compatible: async (access) => (await import('./adapters/compatible.ts')).compatible(access),
  azure: async (access) => (await import('./adapters/azure.ts')).azure(access),
  bedrock: async (access) => (await import('./adapters/bedrock.ts')).bedrock(access),
  vertex: async (access) => (await import('./adapters/vertex.ts')).vertex(access),
  mistral: async (access) => (await import('./adapters/mistral.ts')).mistral(access),
  groq: async (access) => (await import('./adapters/groq.ts')).groq(access),
  openrouter: async (access) => (await import('./adapters/openrouter.ts')).openrouter(access),
  cohere: async (access) => (await import('./adapters/cohere.ts')).cohere(access),
}

/** The vendor with this name; undefined for a named server with OpenAI's API. */
export function vendorOf(provider: ProviderName): VendorName | undefined {
  return vendorNames.find((vendor) => vendor === provider)
}

/** Returns a function that loads the provider once. */
export function lazyProvider(name: ProviderName, access: ProviderAccess): () => Promise<Provider> {
  let loaded: Promise<Provider> | undefined
  return () => {
    loaded ??= adapters[vendorOf(name) ?? 'compatible'](access)
    return loaded
  }
}

/** Vendors whose models requests name without a prefix. */
const plainVendors: ReadonlySet<ProviderName> = new Set(['openai', 'anthropic', 'google', 'compatible'])

/** The name of a model in requests, or in answers and traces, from its own name: `mistral/mistral-large-latest`. */
export function qualified(provider: ProviderName, name: string): string {
  return plainVendors.has(provider) ? name : `${provider}/${name}`
}

/** Sorts vendors in the order in which they replace one another, followed by the named servers. */
export function inOrder(providers: Iterable<ProviderName>): ProviderName[] {
  const rank = (provider: ProviderName) => {
    const vendor = vendorOf(provider)
    return vendor === undefined ? vendorNames.length : vendorNames.indexOf(vendor)
  }
  return [...providers].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
