import { CairnError, type Deleted, limits, type Multiplier, type SetMultiplier } from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { extractiveModel } from '../../models/catalogue.ts'
import { builtInMultipliers, multiplierOf } from '../../models/credits.ts'
import { normalizeModel } from '../../models/prices.ts'
import type { MultiplierRow, MultiplierStore } from './store-multipliers.ts'

/** The maximum time in milliseconds until this process notices a multiplier that another process changed. */
const cacheMs = 5_000

function toName(text: string): string {
  const model = storable(normalizeModel(text))
  if (model === '' || model.length > limits.modelNameLength) {
    throw new CairnError('invalid_request', 'model must have a name after its prefix')
  }
  return model
}

/** Credits per 1,000 tokens by model: multipliers that an administrator has set override the built-in table. */
export class MultiplierService {
  readonly #store: MultiplierStore
  readonly #cache = new ExpiringCache<ReadonlyMap<string, number>>(cacheMs, 1)

  constructor(store: MultiplierStore) {
    this.#store = store
  }

  /** Built-in and set multipliers, sorted by model. */
  async list(): Promise<Multiplier[]> {
    const set = new Map((await this.#store.list()).map((row) => [row.model, row]))
    const names = new Set([...builtInMultipliers.keys(), ...set.keys()])
    return [...names].sort().map((model) => toMultiplier(model, set.get(model)))
  }

  async set({ model: name, multiplier }: SetMultiplier): Promise<Multiplier> {
    const model = toName(name)
    if (model === extractiveModel) {
      throw new CairnError(
        'invalid_request',
        `model ${extractiveModel} calls no provider, so it costs no credits`,
      )
    }
    const others = (await this.#store.list()).filter((row) => row.model !== model)
    if (others.length >= limits.multipliers) {
      throw new CairnError('conflict', `at most ${limits.multipliers} multipliers can be set; delete some`)
    }
    const row = { model, multiplier, updated_at: Date.now() }
    await this.#store.upsert(row)
    this.#cache.clear()
    return toMultiplier(model, row)
  }

  /** Deletes a set multiplier. The built-in multiplier of the model, or 1, applies again. */
  async delete(name: string): Promise<Deleted> {
    const found = await this.#store.delete(toName(name))
    this.#cache.clear()
    if (!found) throw new CairnError('not_found', 'multiplier not found: none is set for this model')
    return { success: true, message: 'multiplier deleted' }
  }

  /** Loads the current multipliers. The returned function looks up any number of models without waiting. */
  async current(): Promise<(model: string) => number> {
    const set = await this.#cache.getOrLoad('all', async () => {
      const rows = await this.#store.list()
      return new Map(rows.map(({ model, multiplier }) => [model, multiplier]))
    })
    return (model) => multiplierOf(model, set)
  }
}

function toMultiplier(model: string, row: MultiplierRow | undefined): Multiplier {
  const builtIn = builtInMultipliers.get(model) ?? null
  return {
    model,
    multiplier: row?.multiplier ?? builtIn ?? 1,
    built_in: builtIn,
    updated_at: row ? toIso(row.updated_at) : null,
  }
}
