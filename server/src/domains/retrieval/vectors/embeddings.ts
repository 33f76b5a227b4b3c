import { sha256 } from '../../../lib/hash.ts'
import type { EmbeddingModel } from '../../../models/embedding.ts'
import type { ChunkFields } from '../segments/index.ts'
import { toUnitVectors } from './vector-matrix.ts'

/** The vectors of a document's chunks, one after the other, in the space of a model. */
export interface DocumentEmbedding {
  spaceId: string
  model: string
  dimensions: number
  vectors: Float32Array
}

interface EmbeddingModels {
  /** The one that documents are embedded with now. */
  embedding: EmbeddingModel | undefined
  /** One by its id, as long as its provider is configured. */
  embeddingOf(id: string): EmbeddingModel | undefined
}

const mostQuestions = 500
/** A question that waits longer for its vector is better answered without. */
const questionMs = 10_000

/** The space of a model has the same id in every chat, so that two uploads at once do not make two. */
function spaceOf(model: string): string {
  return `emb${sha256(model).slice(0, 20)}`
}

/** Vectors by the models of a provider. */
export class Embeddings {
  readonly #models: EmbeddingModels
  /** Questions are often asked again, and a search asks what an answer asks. */
  readonly #questions = new Map<string, Promise<Float32Array>>()

  constructor(models: EmbeddingModels) {
    this.#models = models
  }

  /** Id of the model that documents are embedded with; undefined when none is configured. */
  get model(): string | undefined {
    return this.#models.embedding?.id
  }

  /** The space of that model, the same in every chat. */
  get spaceId(): string | undefined {
    return this.model && spaceOf(this.model)
  }

  /** Whether questions can be compared with what a model embedded; of none when nothing is to be embedded any more. */
  canEmbed(model: string): boolean {
    return this.model !== undefined && this.#models.embeddingOf(model) !== undefined
  }

  /** Undefined without a model. Throws ModelError. */
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

  /** The unit vector of a question by the model that embedded the documents. Throws ModelError. */
  async question(modelId: string, text: string): Promise<Float32Array | undefined> {
    const key = sha256(`${modelId}\n${text}`)
    const known = this.#questions.get(key)
    if (known) return known
    const model = this.#models.embeddingOf(modelId)
    if (!model) return undefined
    const work = model
      .embed([text], AbortSignal.timeout(questionMs))
      .then(([vector = new Float32Array()]) => toUnitVectors(vector, vector.length))
    this.#questions.set(key, work)
    const [oldest] = this.#questions.keys()
    if (this.#questions.size > mostQuestions && oldest !== undefined) this.#questions.delete(oldest)
    work.catch(() => this.#questions.delete(key))
    return work
  }
}

/** What a chunk is embedded by: its headings say what it is about. */
function textOf({ text, headingPath }: ChunkFields): string {
  return headingPath.length === 0 ? text : `${headingPath.join(' > ')}\n\n${text}`
}
