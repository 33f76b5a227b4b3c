import { createEmbedder } from './embedder.ts'
import type { EmbeddingModel } from './embedding.ts'
import type { ProviderAccess, ProviderName } from './provider.ts'
import { lazyProvider } from './providers.ts'

export interface ModelSettings {
  /** The providers that are configured. */
  providers: Partial<Record<ProviderName, ProviderAccess>>
  /** `provider/model`; its provider is configured. */
  embeddingModel: string | undefined
  embeddingDimensions: number | undefined
  /** Time of silence after which a model has failed. */
  quietMs: number
}

/** The models that this server can use. */
export class Models {
  /** Undefined when none is configured: nothing is embedded then. */
  readonly embedding: EmbeddingModel | undefined

  constructor({ providers, embeddingModel: name, embeddingDimensions: dimensions, quietMs }: ModelSettings) {
    const providerName = name?.split('/')[0] as ProviderName
    const access = providers[providerName]
    if (name && access) {
      const provider = lazyProvider(providerName, access)
      this.embedding = createEmbedder({ name, provider, dimensions, quietMs })
    }
  }
}
