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
  /** The model of a chat, by its choice; null for the server's model. */
  embeddingFor(choice: string | null): EmbeddingModel | undefined
  /** A model by its id; undefined if its provider is not configured. */
  embeddingOf(id: string): EmbeddingModel | undefined
}

/** Loads the embedding model that a chat chooses; null for the server's. */
type ChoiceOf = (chatId: string) => Promise<string | null>

const maxCachedQuestions = 500
/** Time limit of embedding a question; the search then works without a vector. */
const questionMs = 10_000

/** Id of a model's space. It is the same in every chat, so that concurrent uploads do not create two spaces. */
export function spaceOf(model: string): string {
  return `emb${sha256(model).slice(0, 20)}`
}

/** Embeds documents and questions with the models of a provider. */
export class Embeddings {
  readonly #models: EmbeddingModels
  readonly #choiceOf: ChoiceOf
  /** Cached vectors by hash of model and text, because searches and answers often repeat a question. */
  readonly #questions = new Map<string, Promise<Float32Array>>()

  constructor(models: EmbeddingModels, choiceOf: ChoiceOf) {
    this.#models = models
    this.#choiceOf = choiceOf
  }

  /** The model that embeds the documents of a chat; undefined without one. */
  async modelOf(chatId: string): Promise<EmbeddingModel | undefined> {
    return this.#models.embeddingFor(await this.#choiceOf(chatId))
  }

  /** Whether questions can be embedded with a model. */
  canEmbed(model: string): boolean {
    return this.#models.embeddingOf(model) !== undefined
  }

  /** Embeds a document. @throws ModelError */
  async document(
    model: EmbeddingModel,
    chunks: readonly ChunkFields[],
    signal?: AbortSignal,
  ): Promise<DocumentEmbedding> {
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
