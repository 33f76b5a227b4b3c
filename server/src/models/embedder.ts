import { knownEmbeddings } from './catalogue.ts'
import type { EmbeddingModel } from './embedding.ts'
import { ModelError } from './model-error.ts'
import type { EmbeddingPurpose, Provider } from './provider.ts'
import { withRetries } from './retry.ts'

/** Maximum texts of one call. Providers limit tokens, and some accept fewer texts. */
const mostTexts = 100
const mostCharacters = 200_000
/** More numbers than any model returns. */
const maxLength = 20_000

export interface EmbedderOptions {
  /** `provider/model`. */
  name: string
  provider: () => Promise<Provider>
  /** The requested length, for models that support it. */
  dimensions?: number | undefined
  quietMs: number
}

/** An embedding model of a provider. */
export function createEmbedder({ name, provider, dimensions, quietMs }: EmbedderOptions): EmbeddingModel {
  const modelId = name.slice(name.indexOf('/') + 1)

  async function loadModel(purpose: EmbeddingPurpose) {
    const loaded = await provider()
    const model = loaded.embedding?.(modelId)
    if (!model) throw new ModelError(name, 'refused', { detail: 'the provider has no embeddings' })
    return { model, providerOptions: loaded.embeddingOptions?.(purpose, dimensions) }
  }

  async function embedOnce(
    { model, providerOptions }: Awaited<ReturnType<typeof loadModel>>,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<number[][]> {
    return withRetries({ model: name, quietMs, signal }, async (watch) => {
      const options = {
        values: [...texts],
        abortSignal: watch.signal,
        ...(dimensions && { dimensions }),
        ...(providerOptions && { providerOptions }),
      }
      const { embeddings } = await model.doEmbed(options)
      watch.end()
      return embeddings
    })
  }

  return {
    id: dimensions ? `${name}@${dimensions}` : name,
    dimensions: dimensions ?? knownEmbeddings.get(name)?.dimensions,
    async embed(texts, signal, purpose = 'document') {
      const vectors: Float32Array[] = []
      const loaded = await loadModel(purpose)
      const textsPerCall = Math.min(mostTexts, (await loaded.model.maxEmbeddingsPerCall) ?? mostTexts)
      for (const batch of batches(texts, textsPerCall)) {
        const embeddings = await embedOnce(loaded, batch, signal)
        if (embeddings.length !== batch.length)
          throw new ModelError(name, 'broken', { detail: 'vectors are missing' })
        if (embeddings.some((embedding) => embedding.length > maxLength))
          throw new ModelError(name, 'broken', { detail: 'vectors are too long' })
        for (const embedding of embeddings) vectors.push(Float32Array.from(embedding))
      }
      const length = dimensions ?? vectors[0]?.length
      if (vectors.some((vector) => vector.length === 0 || vector.length !== length)) {
        throw new ModelError(name, 'broken', { detail: 'vectors of several lengths' })
      }
      if (!vectors.every((vector) => vector.every(Number.isFinite))) {
        throw new ModelError(name, 'broken', { detail: 'vectors with numbers that are not finite' })
      }
      return vectors
    },
  }
}

function* batches(texts: readonly string[], textsPerCall: number): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length === textsPerCall || (batch.length > 0 && characters + text.length > mostCharacters)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}
