import {
  CairnError,
  type Deleted,
  type Provider,
  type ProviderName,
  providerNames,
  type SetProvider,
} from '@cairn/contract'
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.ts'
import { toIso } from '../../lib/time.ts'
import type { ConfiguredProviders, Models, ProviderSettings } from '../../models/models.ts'
import { checkBaseUrl, checkKey, checkModels, isSameServer, last4Of } from './address.ts'
import type { ProviderRow, ProviderStore } from './store.ts'

export interface ProviderOptions {
  store: ProviderStore
  box: SecretBox
  models: Models
  /** The providers of the environment variables. */
  environment: ConfiguredProviders
  /** The name of a model that must stay known, because the next start of the server fails without it. */
  defaultModel: string | undefined
  /** Called after a change of the providers in use. */
  onChange: () => void
  /** Called once for each stored key that cannot be decrypted. */
  onProblem: (provider: string, problem: string) => void
}

export type ProviderSource = 'environment' | 'console'

const undecryptableKey =
  'its api_key was encrypted with another encryption key; set api_key again, or restore CAIRN_ENCRYPTION_KEY'

/** The context of the encryption: a key that was encrypted for one provider cannot be decrypted for another. */
const placeOf = (provider: string) => `model-provider:${provider}`

function toName(provider: string): ProviderName {
  const name = providerNames.find((known) => known === provider)
  if (name) return name
  throw new CairnError('not_found', `provider not found; there are ${providerNames.join(', ')}`)
}

/** The model providers. A stored configuration overrides that of the environment. */
export class ProviderService {
  readonly #options: ProviderOptions
  #rows: readonly ProviderRow[] = []
  #providers: ConfiguredProviders
  /** The rows of the last read as JSON, to notice changes by other processes. */
  #seen = '[]'
  /** Counts changes by this process, because a read that began before a change must not undo it. */
  #changes = 0

  constructor(options: ProviderOptions) {
    this.#options = options
    this.#providers = options.environment
  }

  /** Reads the stored providers, and uses them if they have changed. */
  async refresh(): Promise<void> {
    const began = this.#changes
    const rows = await this.#options.store.list()
    if (began === this.#changes) this.#use(rows)
  }

  list(): Provider[] {
    return providerNames.map((name) => this.#toProvider(name))
  }

  get(provider: string): Provider {
    return this.#toProvider(toName(provider))
  }

  /** Stores a provider. It overrides the environment immediately in this process, and within seconds in other processes. */
  async set(provider: string, request: SetProvider): Promise<Provider> {
    const name = toName(provider)
    const before = (await this.#options.store.list()).find((row) => row.provider === name)
    const row = this.#toRow(name, request, before)
    this.#requireDefaultModel([...this.#rows.filter((other) => other.provider !== name), row])
    await this.#options.store.upsert(row)
    await this.#reload()
    return this.get(name)
  }

  /** Deletes a stored provider. The provider of the environment, if there is one, is in use again. */
  async delete(provider: string): Promise<Deleted> {
    const name = toName(provider)
    this.#requireDefaultModel(this.#rows.filter((row) => row.provider !== name))
    const found = await this.#options.store.delete(name)
    await this.#reload()
    if (!found) throw new CairnError('not_found', `nothing is stored for ${name}`)
    return { success: true, message: 'provider deleted' }
  }

  sourceOf(name: ProviderName): ProviderSource | null {
    if (this.#rows.some((row) => row.provider === name)) return 'console'
    return this.#options.environment[name] ? 'environment' : null
  }

  /** The reason why a configured provider cannot be called; undefined if it can. */
  problemOf(name: ProviderName): string | undefined {
    return this.#providers[name]?.problem
  }

  async #reload(): Promise<void> {
    this.#changes++
    this.#use(await this.#options.store.list())
  }

  #use(rows: readonly ProviderRow[]): void {
    const seen = JSON.stringify(rows)
    if (seen === this.#seen) return
    this.#seen = seen
    this.#rows = rows
    this.#providers = this.#providersOf(rows)
    for (const { provider } of rows) {
      const problem = this.#providers[toName(provider)]?.problem
      if (problem !== undefined) this.#options.onProblem(provider, problem)
    }
    this.#options.models.useProviders(this.#providers)
    this.#options.onChange()
  }

  #providersOf(rows: readonly ProviderRow[]): ConfiguredProviders {
    const stored = rows.map((row) => [row.provider, this.#toSettings(row)] as const)
    return { ...this.#options.environment, ...Object.fromEntries(stored) }
  }

  /** A key that cannot be decrypted is not replaced by the environment's key, which may belong to another address. */
  #toSettings({ provider, api_key, base_url, models }: ProviderRow): ProviderSettings {
    const settings = {
      baseUrl: base_url ?? undefined,
      models: JSON.parse(models) as ProviderSettings['models'],
    }
    try {
      const apiKey = api_key === null ? undefined : this.#options.box.open(api_key, placeOf(provider))
      return { ...settings, apiKey }
    } catch (error) {
      if (error instanceof SecretBoxError)
        return { ...settings, apiKey: undefined, problem: undecryptableKey }
      throw error
    }
  }

  #toRow(name: ProviderName, request: SetProvider, before: ProviderRow | undefined): ProviderRow {
    const { api_key, base_url, models } = request
    const baseUrl = base_url == null ? null : checkBaseUrl(base_url)
    if (name === 'compatible' && baseUrl === null) {
      throw new CairnError('invalid_request', 'base_url is required for compatible')
    }
    return {
      provider: name,
      ...this.#toKey(name, api_key ?? undefined, baseUrl, before),
      base_url: baseUrl,
      models: JSON.stringify(checkModels(models ?? [])),
      updated_at: Date.now(),
    }
  }

  /** Invariant: a key is sent only to the origin of the `base_url` that it was stored with. */
  #toKey(
    name: ProviderName,
    key: string | undefined,
    baseUrl: string | null,
    before: ProviderRow | undefined,
  ): Pick<ProviderRow, 'api_key' | 'api_key_last4'> {
    if (key !== undefined) {
      checkKey(key)
      return { api_key: this.#options.box.seal(key, placeOf(name)), api_key_last4: last4Of(key) }
    }
    const stored = before?.api_key ?? null
    if (stored !== null && isSameServer(before?.base_url ?? null, baseUrl)) {
      return { api_key: stored, api_key_last4: before?.api_key_last4 ?? null }
    }
    if (name === 'compatible' && stored === null) return { api_key: null, api_key_last4: null }
    const reason = stored === null ? '' : ' because base_url changes to another server'
    throw new CairnError('invalid_request', `api_key is required for ${name}${reason}`)
  }

  /** Rejects a change without CAIRN_DEFAULT_MODEL, because the server could not start again. */
  #requireDefaultModel(rows: readonly ProviderRow[]): void {
    const { defaultModel, models, environment } = this.#options
    if (defaultModel === undefined) return
    const names = { ...environment, ...Object.fromEntries(rows.map((row) => [row.provider, namesOf(row)])) }
    const isKnown = Object.values(names).some(({ models }) =>
      models.some(({ name }) => name === defaultModel),
    )
    if (isKnown || models.isBuiltIn(defaultModel)) return
    throw new CairnError(
      'conflict',
      `the model ${defaultModel} must stay in models of this provider, because it is the value of CAIRN_DEFAULT_MODEL`,
    )
  }

  #toProvider(name: ProviderName): Provider {
    const row = this.#rows.find(({ provider }) => provider === name)
    const settings = this.#providers[name]
    const key = settings?.apiKey
    return {
      provider: name,
      configured: settings !== undefined && settings.problem === undefined,
      source: this.sourceOf(name),
      api_key_last4: row ? row.api_key_last4 : key === undefined ? null : last4Of(key),
      base_url: settings?.baseUrl ?? null,
      models: (settings?.models ?? []).map((model) => ({ name: model.name, id: model.id })),
      problem: settings?.problem ?? null,
      updated_at: row ? toIso(row.updated_at) : null,
    }
  }
}

function namesOf({ models }: ProviderRow): { models: { name: string }[] } {
  return { models: JSON.parse(models) as { name: string }[] }
}
