import {
  CairnError,
  type Deleted,
  limits,
  type Provider,
  type ProviderName,
  problemOfServerName,
  type SetProvider,
  vendorNames,
} from '@cairn/contract'
import type { SecretBox } from '../../lib/secret-box.ts'
import { toIso } from '../../lib/time.ts'
import type { ConfiguredProviders, Models } from '../../models/models.ts'
import { inOrder, qualified, vendorOf } from '../../models/providers.ts'
import { toRow, toSettings } from './rows.ts'
import type { ProviderRow, ProviderStore } from './store.ts'
import { shownOf } from './vendors.ts'

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
    return inOrder(new Set([...vendorNames, ...Object.keys(this.#providers)])).map((name) =>
      this.#toProvider(name),
    )
  }

  get(provider: string): Provider {
    return this.#toProvider(this.#toName(provider))
  }

  /** Stores a provider. It overrides the environment immediately in this process, and within seconds in other processes. */
  async set(provider: string, request: SetProvider): Promise<Provider> {
    const name = toNewName(provider)
    const rows = await this.#options.store.list()
    const before = rows.find((row) => row.provider === name)
    const row = toRow(this.#options.box, name, request, before)
    const named = rows.filter((other) => vendorOf(other.provider) === undefined)
    if (before === undefined && vendorOf(name) === undefined && named.length >= limits.modelServers) {
      throw new CairnError('conflict', `there can be at most ${limits.modelServers} named servers`)
    }
    this.#requireDefaultModel([...this.#rows.filter((other) => other.provider !== name), row])
    await this.#options.store.upsert(row)
    await this.#reload()
    return this.get(name)
  }

  /** Deletes a stored provider. The provider of the environment, if there is one, is in use again. */
  async delete(provider: string): Promise<Deleted> {
    const name = this.#toName(provider)
    this.#requireDefaultModel(this.#rows.filter((row) => row.provider !== name))
    const found = await this.#options.store.delete(name)
    await this.#reload()
    if (!found) throw new CairnError('not_found', `nothing is stored for ${name}`)
    return { success: true, message: 'provider deleted' }
  }

  /** @throws `not_found` for a name that is neither a vendor nor a configured server */
  #toName(provider: string): ProviderName {
    if (vendorOf(provider) !== undefined || Object.hasOwn(this.#providers, provider)) return provider
    const names = inOrder(new Set([...vendorNames, ...Object.keys(this.#providers)]))
    throw new CairnError('not_found', `provider not found; there are ${names.join(', ')}`)
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
      const problem = this.#providers[provider]?.problem
      if (problem !== undefined) this.#options.onProblem(provider, problem)
    }
    this.#options.models.useProviders(this.#providers)
    this.#options.onChange()
  }

  #providersOf(rows: readonly ProviderRow[]): ConfiguredProviders {
    const stored = rows.map((row) => [row.provider, toSettings(this.#options.box, row)] as const)
    return { ...this.#options.environment, ...Object.fromEntries(stored) }
  }

  /** Rejects a change without CAIRN_DEFAULT_MODEL, because the server could not start again. */
  #requireDefaultModel(rows: readonly ProviderRow[]): void {
    const { defaultModel, models, environment } = this.#options
    if (defaultModel === undefined) return
    const names = { ...environment, ...Object.fromEntries(rows.map((row) => [row.provider, namesOf(row)])) }
    const isKnown = Object.entries(names).some(([provider, { models }]) =>
      models.some(({ name }) => qualified(provider, name) === defaultModel),
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
      api_key_last4: row ? row.api_key_last4 : key === undefined ? null : shownOf(name, key),
      base_url: settings?.baseUrl ?? null,
      headers: Object.keys(settings?.headers ?? {}),
      options: { ...settings?.options },
      models: (settings?.models ?? []).map((model) => ({ name: model.name, id: model.id })),
      problem: settings?.problem ?? null,
      updated_at: row ? toIso(row.updated_at) : null,
    }
  }
}

/** The name of a provider to store: a vendor, or a new or known server. @throws `not_found` for another name */
function toNewName(provider: string): ProviderName {
  if (vendorOf(provider) !== undefined) return provider
  const problem = problemOfServerName(provider)
  if (problem === undefined) return provider
  throw new CairnError('not_found', `provider not found; ${problem}`)
}

function namesOf({ models }: ProviderRow): { models: { name: string }[] } {
  return { models: JSON.parse(models) as { name: string }[] }
}
