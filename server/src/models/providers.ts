import type { Provider, ProviderAccess, ProviderName } from './provider.ts'

/** Loaded on first use, because each adapter takes about 25 MB, which a server without a provider does not need. */
const adapters: Record<ProviderName, (access: ProviderAccess) => Promise<Provider>> = {
  openai: async (access) => (await import('./adapters/openai.ts')).openai(access),
  anthropic: async (access) => (await import('./adapters/anthropic.ts')).anthropic(access),
  google: async (access) => (await import('./adapters/google.ts')).google(access),
  compatible: async (access) => (await import('./adapters/compatible.ts')).compatible(access),
}

/** Returns a function that loads the provider once. */
export function lazyProvider(name: ProviderName, access: ProviderAccess): () => Promise<Provider> {
  let loaded: Promise<Provider> | undefined
  return () => {
    loaded ??= adapters[name](access)
    return loaded
  }
}
