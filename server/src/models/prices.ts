import { limits, type PriceProvider, priceProviders } from '@cairn/contract'
import { type Price, type PriceRow, priceTable } from './prices.data.ts'

export type { Price, PriceRow } from './prices.data.ts'

/** A price that a project has set, with its start time. */
export interface PriceOverride extends Price {
  readonly model: string
  readonly startMs: number
}

/** Overrides by normalised name, latest start first. */
export type PriceOverrides = ReadonlyMap<string, readonly PriceOverride[]>

/** No model has a longer name, so longer names are not cached. */
const longestName = 200
const namesRemembered = 10_000

/** Prefixes of gateways and SDKs that pass on a provider's models at the provider's price. */
const vendors: ReadonlyMap<string, PriceProvider> = new Map([
  ...priceProviders.map((provider) => [provider, provider] as const),
  ['gemini', 'google'],
  ['mistralai', 'mistral'],
  ['x-ai', 'xai'],
])
const gateways: ReadonlySet<string> = new Set([
  'openrouter',
  'vertex',
  'vertex_ai',
  'bedrock',
  'models',
  'publishers',
])

/** Suffixes with which a provider marks snapshots of a model. */
const snapshots: Record<PriceProvider, RegExp> = {
  openai: /-(?:latest|\d{4}-\d{2}-\d{2})$/,
  anthropic: /[-@](?:latest|\d{8})$/,
  google: /-(?:latest|\d{3})$/,
  mistral: /-latest$/,
  deepseek: /-latest$/,
  cohere: /-latest$/,
  xai: /-(?:latest|beta)$/,
}

interface ModelName {
  name: string
  /** The provider in the prefix. */
  vendor: PriceProvider | undefined
}

/** `us.anthropic.claude-3-haiku-20240307-v1:0`, the form of Amazon Bedrock. */
const bedrock = /^(?:arn:aws[\w-]*:bedrock:[^/]*\/)?(?:[a-z]{2,6}(?:-[a-z]+)?\.)?anthropic\.(?=claude)/
const bedrockVersion = /-v\d+(?::\w+)*$/
const vertexPath = /^projects\/[^/]+\/locations\/[^/]+\//

function withoutPrefixes(text: string): ModelName {
  let name = text.replace(vertexPath, '')
  let vendor: PriceProvider | undefined
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/')) {
    const prefix = name.slice(0, slash)
    const known = vendors.get(prefix)
    if (known === undefined && !gateways.has(prefix)) break
    vendor = known ?? vendor
    name = name.slice(slash + 1)
  }
  return { name, vendor }
}

/** Normalises names of Claude models: `3.5` and `3-5` are equal, and Bedrock and Vertex AI add a version. */
function plainClaude(name: string): string {
  const [model = '', date] = name.replace(bedrockVersion, '').split('@')
  return model.replace(bedrockVersion, '').replaceAll('.', '-') + (date ? `@${date}` : '')
}

function parseName(model: string): ModelName {
  const text = model.trim().toLowerCase()
  const direct = text.replace(bedrock, '')
  const { name, vendor } = direct === text ? withoutPrefixes(text) : { name: direct, vendor: undefined }
  const bare = name.replace(bedrock, '')
  return { name: bare.startsWith('claude-') ? plainClaude(bare) : bare, vendor }
}

/** The normalised name for comparisons: lower case, without the prefix of a known provider. */
export function normalizeModel(model: string): string {
  return parseName(model).name
}

interface Family {
  provider: PriceProvider
  /** The main name, normalised. */
  name: string
  /** Latest first. */
  rows: readonly { fromMs: number; row: PriceRow }[]
}

function buildFamilies(table: readonly PriceRow[]): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>()
  for (const [model, rows] of Map.groupBy(table, (row) => row.model)) {
    const dated = rows.map((row) => ({ fromMs: Date.parse(row.from), row }))
    const family = {
      provider: rows[0]?.provider ?? 'openai',
      name: normalizeModel(model),
      rows: dated.sort((a, b) => b.fromMs - a.fromMs),
    }
    for (const name of [model, ...rows.flatMap(({ aliases }) => aliases)]) {
      families.set(normalizeModel(name), family)
    }
  }
  return families
}

const families = buildFamilies(priceTable)

/** A fine-tuned model, `ft:gpt-4o-2024-08-06:owner::id`, has the price of its base model. */
function withoutOwner(name: string): string {
  return name.startsWith('ft:') ? name.split(':', 2).join(':') : name
}

function findFamily({ name, vendor }: ModelName): Family | undefined {
  const full = withoutOwner(name)
  const exact = families.get(full)
  if (exact) return vendor === undefined || vendor === exact.provider ? exact : undefined
  for (const provider of vendor ? [vendor] : priceProviders) {
    const family = families.get(full.replace(snapshots[provider], ''))
    if (family?.provider === provider) return family
  }
  return undefined
}

interface Resolved {
  name: string
  family: Family | undefined
}

function resolve(model: string): Resolved | undefined {
  if (model.length > longestName) return undefined
  const parsed = parseName(model)
  return { name: parsed.name, family: findFamily(parsed) }
}

/** Caches the lookups of model names: every trace looks up a price, and there are few models. */
export class ModelNames {
  readonly #resolved = new Map<string, Resolved>()

  get size(): number {
    return this.#resolved.size
  }

  resolve(model: string): Resolved | undefined {
    const known = this.#resolved.get(model)
    if (known) return known
    const found = resolve(model)
    if (!found) return undefined
    const oldest = this.#resolved.keys().next()
    if (this.#resolved.size >= namesRemembered && !oldest.done) this.#resolved.delete(oldest.value)
    this.#resolved.set(model, found)
    return found
  }
}

/** Names under which a setting for a model may be stored: its own, its family's, and its name without a date. */
export function namesOf(model: string): string[] {
  const found = resolve(model)
  if (!found) return []
  const { name, family } = found
  const undated = Object.values(snapshots).map((suffix) => name.replace(suffix, ''))
  return [...new Set([name, ...(family ? [family.name] : []), ...undated])]
}

export function groupOverrides(overrides: readonly PriceOverride[]): PriceOverrides {
  const latestFirst = overrides.toSorted((a, b) => b.startMs - a.startMs)
  return Map.groupBy(latestFirst, ({ model }) => normalizeModel(model))
}

/** The override with the latest start; for equal starts, the override for the exact name. */
function findOverride({ name, family }: Resolved, atMs: number, overrides: PriceOverrides) {
  const begun = ({ startMs }: PriceOverride) => startMs <= atMs
  const exact = overrides.get(name)?.find(begun)
  const ofFamily = family && family.name !== name ? overrides.get(family.name)?.find(begun) : undefined
  if (!exact || !ofFamily) return exact ?? ofFamily
  return ofFamily.startMs > exact.startMs ? ofFamily : exact
}

/**
 * The price of a model at a time: an override that has started, or else the built-in row for this time. The first row
 * of a model also applies before its start. Undefined if the model is unknown.
 */
export function findPrice(
  model: string,
  atMs: number,
  overrides?: PriceOverrides,
  names?: ModelNames,
): PriceRow | PriceOverride | undefined {
  const found = names ? names.resolve(model) : resolve(model)
  if (!found) return undefined
  const override = overrides?.size ? findOverride(found, atMs, overrides) : undefined
  if (override) return override
  const rows = found.family?.rows
  return (rows?.find(({ fromMs }) => fromMs <= atMs) ?? rows?.at(-1))?.row
}

export type Usage = Readonly<Record<string, unknown>>

/** A valid count of tokens; other values count as absent. */
function tokens(usage: Usage, name: string): number | undefined {
  const value = usage[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Subtracts the parts from the whole, each limited to the remaining tokens, and prices the rest as plain tokens. */
function priceWhole(
  whole: number,
  plain: number,
  parts: readonly (readonly [count: number | undefined, price: number | undefined])[],
): number {
  let rest = whole
  let sum = 0
  for (const [count = 0, price = plain] of parts) {
    const taken = Math.min(count, rest)
    rest -= taken
    sum += taken * price
  }
  return sum + rest * plain
}

/**
 * USD of a call; each token is priced once. `prompt_tokens` includes cached and audio tokens, `completion_tokens`
 * includes reasoning and audio. Null if nothing in the usage can be priced, or if the sum exceeds the largest amount.
 */
export function computeCost(usage: Usage, price: Price): number | null {
  const total = price.output ? undefined : tokens(usage, 'total_tokens')
  const completion = tokens(usage, 'completion_tokens')
  const prompt = tokens(usage, 'prompt_tokens') ?? total
  if (prompt === undefined && completion === undefined) return null
  const { long_prompt } = price
  const rate: Price = long_prompt && (prompt ?? 0) > long_prompt.above ? { ...price, ...long_prompt } : price
  const input = priceWhole(prompt ?? 0, rate.input, [
    [tokens(usage, 'cache_read_tokens'), rate.cache_read],
    [tokens(usage, 'cache_write_tokens'), rate.cache_write],
    [tokens(usage, 'input_audio_tokens') ?? tokens(usage, 'audio_tokens'), rate.audio_input],
  ])
  const output = priceWhole(completion ?? 0, rate.output ?? 0, [
    [tokens(usage, 'reasoning_tokens'), rate.reasoning],
    [tokens(usage, 'output_audio_tokens'), rate.audio_output],
  ])
  const cost = (input + output) / 1_000_000
  return cost <= limits.largestAmount ? cost : null
}
