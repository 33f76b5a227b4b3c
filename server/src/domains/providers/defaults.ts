import { CairnError, type ModelDefaults, type SetModelDefaults } from '@cairn/contract'
import type { Models } from '../../models/models.ts'
import type { DefaultsStore } from './store-defaults.ts'

export interface DefaultsOptions {
  store: DefaultsStore
  models: Models
  /** Called after a change of the models in use. */
  onChange: () => void
  /** Called after a change of the embedding model by this process. */
  onEmbeddingChange: () => void
}

/** The models that the console has chosen for the whole server, which override those of the environment. */
export class ModelDefaultsService {
  readonly #options: DefaultsOptions
  #seen: ModelDefaults = { default_model: null, embedding_model: null }
  /** Counts changes by this process, because a read that began before a change must not undo it. */
  #changes = 0

  constructor(options: DefaultsOptions) {
    this.#options = options
  }

  get(): ModelDefaults {
    return this.#seen
  }

  /** Reads the stored choices, and uses them if they have changed. */
  async refresh(): Promise<void> {
    const began = this.#changes
    const stored = await this.#options.store.read()
    if (began === this.#changes) this.#use(stored)
  }

  /** Stores choices; null means the environment's, and a field that is left out keeps its choice. */
  async set(request: SetModelDefaults): Promise<ModelDefaults> {
    const { models, store, onEmbeddingChange } = this.#options
    const { default_model, embedding_model } = request
    if (default_model != null && !models.isKnown(default_model)) {
      throw new CairnError('invalid_request', 'default_model is unknown to this server')
    }
    const problem = embedding_model == null ? undefined : models.problemOfEmbedding(embedding_model)
    if (problem) throw new CairnError('invalid_request', `embedding_model ${problem}`)
    const before = models.embedding?.id
    await store.write(request)
    this.#changes++
    this.#use(await store.read())
    if (models.embedding?.id !== before) onEmbeddingChange()
    return this.get()
  }

  #use(stored: ModelDefaults): void {
    if (JSON.stringify(stored) === JSON.stringify(this.#seen)) return
    this.#seen = stored
    this.#options.models.useChosen({
      defaultModel: stored.default_model ?? undefined,
      embeddingModel: stored.embedding_model ?? undefined,
    })
    this.#options.onChange()
  }
}
