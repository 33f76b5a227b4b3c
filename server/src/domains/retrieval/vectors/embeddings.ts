import { sha256 } from '../../../lib/hash.ts'
import type { EmbeddingModel } from '../../../models/embedding.ts'
import type { ChunkFields } from '../segments/index.ts'
import { toUnitVectors } from './vector-matrix.ts'

/** The unit vectors of a document's chunks, one after the other, in the space of a model. */
export interface DocumentEmbedding {
  spaceId: string
  model: string
  dimensions: number
  vectors: Float32Array
}

interface EmbeddingModels {
  /** The configured model. */
  embedding: EmbeddingModel | undefined
  /** A model by its id; undefined if its provider is not configured. */
  embeddingOf(id: string): EmbeddingModel | undefined
}

const maxCachedQuestions = 500
/** Time limit of embedding a question; the search then works without a vector. */
const questionMs = 10_000

/** Id of a model's space. It is the same in every chat, so that concurrent uploads do not create two spaces. */
function spaceOf(model: string): string {
  return `emb${sha256(model).slice(0, 20)}`
}

/** Embeds documents and questions with the models of a provider. */
export class Embeddings {
  readonly #models: EmbeddingModels
  /** Cached vectors by hash of model and text, because searches and answers often repeat a question. */
  readonly #questions = new Map<string, Promise<Float32Array>>()

  constructor(models: EmbeddingModels) {
    this.#models = models
  }

  /** Id of the configured model; undefined without one. */
  get model(): string | undefined {
    return this.#models.embedding?.id
  }

  /** The space of the configured model, the same in every chat. */
  get spaceId(): string | undefined {
    return this.model && spaceOf(this.model)
  }

  /** Whether questions can be embedded with a model. False for all models if no embedding model is configured. */
  canEmbed(model: string): boolean {
    return this.model !== undefined && this.#models.embeddingOf(model) !== undefined
  }

  /** Embeds a document. Returns undefined if no model is configured. @throws ModelError */
  async document(
    chunks: readonly ChunkFields[],
    signal?: AbortSignal,
  ): Promise<DocumentEmbedding | undefined> {
    const { embedding: model } = this.#models
    if (!model) return undefined
    const found = await model.embed(chunks.map(textOf), signal)
    const dimensions = found[0]?.length ?? model.dimensions ?? 0
    const vectors = new Float32Array(dimensions * found.length)
    for (const [index, vector] of found.entries()) vectors.set(vector, index * dimensions)
    return {
      spaceId: spaceOf(model.id),
      model: model.id,
      dimensions,
      vectors: toUnitVectors(vectors, dimensions),
    }
  }

  /**
   * The unit vector of a question by the model that embedded the documents; undefined if the model is not configured.
   *
   * @throws ModelError
   */
  async question(modelId: string, text: string): Promise<Float32Array | undefined> {
    const key = sha256(`${modelId}\n${text}`)
    const known = this.#questions.get(key)
    if (known) return known
    const model = this.#models.embeddingOf(modelId)
    if (!model) return undefined
    const work = model
      .embed([text], AbortSignal.timeout(questionMs), 'question')
      .then(([vector = new Float32Array()]) => toUnitVectors(vector, vector.length))
    this.#questions.set(key, work)
    const [oldest] = this.#questions.keys()
    if (this.#questions.size > maxCachedQuestions && oldest !== undefined) this.#questions.delete(oldest)
    work.catch(() => this.#questions.delete(key))
    return work
  }
}

/** The text of a chunk to embed: headings first, because they give the topic. */
function textOf({ text, headingPath }: ChunkFields): string {
  return headingPath.length === 0 ? text : `${headingPath.join(' > ')}\n\n${text}`
}
