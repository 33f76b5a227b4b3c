import {
  type BuiltInPrice,
  CairnError,
  type Deleted,
  type ListPricesQuery,
  limits,
  type ProjectPrice,
  type SetPrice,
} from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { newId } from '../../lib/ids.ts'
import { storable } from '../../lib/storable.ts'
import { parseIso, toIso } from '../../lib/time.ts'
import { priceTable } from '../../models/prices.data.ts'
import {
  computeCost,
  findPrice,
  groupOverrides,
  ModelNames,
  normalizeModel,
  type Price,
  type PriceOverride,
  type PriceOverrides,
  type PriceRow as TableRow,
  type Usage,
} from '../../models/prices.ts'
import type { AccessService } from '../access/index.ts'
import type { PriceRow, PriceStore } from './store.ts'

/** The maximum time in milliseconds until this process notices a price that another process changed. */
const cacheMs = 5_000
const maxCachedProjects = 10_000

/** Computes the cost of a call in USD; null for a model without a price, and for usage without a computable cost. */
export type Pricing = (
  model: string | null,
  usage: Usage | null | undefined,
  createdMs: number,
) => number | null

function toBuiltIn(row: TableRow): BuiltInPrice {
  const { long_prompt } = row
  return {
    provider: row.provider,
    model: row.model,
    aliases: [...row.aliases],
    from: row.from,
    input: row.input,
    output: row.output ?? null,
    cache_read: row.cache_read ?? null,
    cache_write: row.cache_write ?? null,
    reasoning: row.reasoning ?? null,
    audio_input: row.audio_input ?? null,
    audio_output: row.audio_output ?? null,
    long_prompt: long_prompt
      ? {
          above: long_prompt.above,
          input: long_prompt.input,
          output: long_prompt.output,
          cache_read: long_prompt.cache_read ?? null,
          cache_write: long_prompt.cache_write ?? null,
        }
      : null,
    source: row.source,
    checked: row.checked,
    confirmed: row.confirmed,
  }
}

function toProjectPrice({ project_id, start_date, created_at, ...price }: PriceRow): ProjectPrice {
  return { ...price, start_date: toIso(start_date), created_at: toIso(created_at) }
}

function toOverride(row: PriceRow): PriceOverride {
  const { model, start_date, input, output } = row
  const { cache_read, cache_write, reasoning, audio_input, audio_output } = row
  const parts = { cache_read, cache_write, reasoning, audio_input, audio_output }
  const given = Object.entries(parts).filter(([, value]) => value !== null)
  return { model, startMs: start_date, input, output, ...Object.fromEntries(given) }
}

function toStart(text: string | null | undefined, now: number): number {
  if (text == null) return now
  const ms = parseIso(text)
  if (ms === undefined) throw new CairnError('invalid_request', 'start_date must be an ISO 8601 date-time')
  return ms
}

function toModel(text: string): string {
  const model = storable(normalizeModel(text))
  if (model === '') throw new CairnError('invalid_request', 'model must have a name after its prefix')
  return model
}

export class PriceService {
  readonly #store: PriceStore
  readonly #access: AccessService
  readonly #names = new ModelNames()
  readonly #overrides = new ExpiringCache<PriceOverrides>(cacheMs, maxCachedProjects)
  /** Reads in progress by project, so that concurrent traces share one read. */
  #loading = new Map<string, Promise<PriceOverrides>>()

  constructor(store: PriceStore, access: AccessService) {
    this.#store = store
    this.#access = access
  }

  /** Rows of the built-in table, in the order of the table. */
  listBuiltIn({ provider, q }: ListPricesQuery): BuiltInPrice[] {
    const part = q?.trim().toLowerCase() ?? ''
    return priceTable
      .filter((row) => provider === undefined || row.provider === provider)
      .filter(({ model, aliases }) => [model, ...aliases].some((name) => name.includes(part)))
      .map(toBuiltIn)
  }

  async list(projectId: string): Promise<ProjectPrice[]> {
    await this.#access.getProject(projectId)
    return (await this.#store.list(projectId)).map(toProjectPrice)
  }

  async set(projectId: string, request: SetPrice): Promise<ProjectPrice> {
    const now = Date.now()
    const row: PriceRow = {
      project_id: projectId,
      price_id: newId('prc_', now),
      model: toModel(request.model),
      start_date: toStart(request.start_date, now),
      input: request.input,
      output: request.output,
      cache_read: request.cache_read ?? null,
      cache_write: request.cache_write ?? null,
      reasoning: request.reasoning ?? null,
      audio_input: request.audio_input ?? null,
      audio_output: request.audio_output ?? null,
      created_at: now,
    }
    const written = await this.#store.upsert(row, limits.pricesPerProject)
    this.#clearCache()
    if (written === 'no_project') throw new CairnError('not_found', 'project not found')
    if (written !== 'too_many') return toProjectPrice(written)
    throw new CairnError('conflict', `a project has at most ${limits.pricesPerProject} prices; delete some`)
  }

  async delete(projectId: string, priceId: string): Promise<Deleted> {
    const found = await this.#store.delete(projectId, priceId)
    this.#clearCache()
    if (!found) throw new CairnError('not_found', 'price not found')
    return { success: true, message: 'price deleted' }
  }

  /** Loads the prices of a project. The returned function prices any number of calls without waiting. */
  async pricing(projectId: string): Promise<Pricing> {
    const overrides = await this.#overridesOf(projectId)
    return (model, usage, createdMs) => {
      if (model === null || usage == null) return null
      const price = findPrice(model, createdMs, overrides, this.#names)
      return price ? computeCost(usage, price) : null
    }
  }

  /** The price of a model at a time (epoch ms); undefined without a price. */
  async priceFor(projectId: string, model: string, createdMs: number): Promise<Price | undefined> {
    return findPrice(model, createdMs, await this.#overridesOf(projectId))
  }

  async costOf(
    projectId: string,
    call: { model: string | null; token_usage: Usage | null | undefined; createdMs: number },
  ): Promise<number | null> {
    const price = await this.pricing(projectId)
    return price(call.model, call.token_usage, call.createdMs)
  }

  async #overridesOf(projectId: string): Promise<PriceOverrides> {
    const overrides = await this.#overrides.getOrLoad(projectId, () => this.#loadOnce(projectId))
    return overrides ?? new Map()
  }

  #loadOnce(projectId: string): Promise<PriceOverrides> {
    const loading = this.#loading
    const current = loading.get(projectId)
    if (current) return current
    const load = this.#store
      .list(projectId)
      .then((rows) => groupOverrides(rows.map(toOverride)))
      .finally(() => loading.delete(projectId))
    loading.set(projectId, load)
    return load
  }

  /** Clears the cache. Reads in progress may have missed the change, so later calls do not share them. */
  #clearCache(): void {
    this.#overrides.clear()
    this.#loading = new Map()
  }
}
