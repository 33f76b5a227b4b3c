import { CairnError, type EmbeddingProgress, type ServerEmbedding } from '@cairn/contract'
import { toIso } from '../../lib/time.ts'
import type { EmbeddingModel } from '../../models/embedding.ts'
import type { EmbeddingRow, EmbeddingStore } from './store-embedding.ts'
import type { VectorStore } from './store-vectors.ts'
import { type Embeddings, spaceOf } from './vectors/index.ts'

export interface EmbeddingOptions {
  store: EmbeddingStore
  vectors: VectorStore
  embeddings: Embeddings
  /** The model of the server. */
  serverModel: () => EmbeddingModel | undefined
  exists: (chatId: string) => Promise<boolean>
  /** Called when jobs are due. */
  wake: () => void
  onFailure: (error: unknown) => void
}

/** The computation of vectors in the background: its progress, and its start after a change of models. */
export class EmbeddingService {
  readonly #options: EmbeddingOptions
  /** The run of `start`; a second change waits for the first. */
  #running: Promise<void> = Promise.resolve()

  constructor(options: EmbeddingOptions) {
    this.#options = options
  }

  async progress(chatId: string): Promise<EmbeddingProgress> {
    const { store, vectors, embeddings, exists } = this.#options
    if (!(await exists(chatId))) throw new CairnError('not_found', 'chat not found')
    const model = await embeddings.modelOf(chatId)
    if (!model) return { ...nothing, ...(await this.#counts(chatId)), state: 'off' }
    const [active] = (await vectors.activeSpaces(chatId)).filter(({ kind }) => kind === 'embedding')
    const inUse = active && embeddings.canEmbed(active.model) ? active.model : null
    const row = await store.progress(chatId, spaceOf(model.id))
    const { chunks, embedded, job } = row
    const state = stateOf(row, inUse === model.id)
    return {
      model: model.id,
      in_use: inUse,
      chunks,
      embedded,
      state,
      error: state === 'failing' ? toMessage(job?.error) : null,
      next_attempt_at: state === 'failing' && job && !job.isDead ? toIso(job.runAt) : null,
    }
  }

  async serverProgress(): Promise<ServerEmbedding> {
    const { store, serverModel } = this.#options
    const model = serverModel()
    const { failing, ...counts } = await store.serverProgress(model ? spaceOf(model.id) : '')
    return {
      model: model?.id ?? null,
      ...counts,
      failing: failing.map(({ chatId, error }) => ({ chat_id: chatId, error: toMessage(error) ?? '' })),
    }
  }

  /**
   * Computes missing vectors in the background after a change of the server's model. If the process ends before all jobs
   * are queued, the next question to each remaining chat queues its job.
   */
  start(): void {
    const { store, wake, onFailure } = this.#options
    const run = async () => {
      let after: string | undefined = ''
      while (after !== undefined) {
        after = await store.requestJobs(after)
        wake()
      }
    }
    this.#running = this.#running.then(run).catch(onFailure)
  }

  /** Tries failed computations again at once, after a change of a provider. */
  retryNow(): void {
    const { store, wake, onFailure } = this.#options
    this.#running = this.#running
      .then(() => store.retryNow())
      .then(wake)
      .catch(onFailure)
  }

  /** Waits for running work, before the database is closed. */
  close(): Promise<void> {
    return this.#running
  }

  async #counts(chatId: string): Promise<Pick<EmbeddingProgress, 'chunks'>> {
    const { chunks } = await this.#options.store.progress(chatId, '')
    return { chunks }
  }
}

const nothing = { model: null, in_use: null, embedded: 0, error: null, next_attempt_at: null }

function stateOf({ chunks, embedded, job }: EmbeddingRow, isInUse: boolean): EmbeddingProgress['state'] {
  if (embedded === chunks && (isInUse || chunks === 0)) return 'ready'
  if (!job) return 'waiting'
  return job.error === null ? 'running' : 'failing'
}

/** The message of a stored error, which begins with the name of its class. */
function toMessage(error: string | null | undefined): string | null {
  return error?.replace(/^\w*Error: /, '') ?? null
}
