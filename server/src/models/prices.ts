import { limits, type PriceProvider, priceProviders } from '@cairn/contract'
import { type Price, type PriceRow, priceTable } from './prices.data.ts'

export type { Price, PriceRow } from './prices.data.ts'

/** A price that somebody set, from a time on. */
export interface PriceOverride extends Price {
  readonly model: string
  readonly startMs: number
}

/** Overrides by the name they are compared with, latest start first. */
export type PriceOverrides = ReadonlyMap<string, readonly PriceOverride[]>

/** Longer names are of no model, and are not worth remembering. */
const longestName = 200
const namesRemembered = 10_000

/** Prefixes under which gateways and SDKs pass on a provider's models at the provider's own price. */
const vendors: ReadonlyMap<string, PriceProvider> = new Map([
  ...priceProviders.map((provider) => [provider, provider] as const),
  ['gemini', 'google'],
  ['mistralai', 'mistral'],
  ['x-ai', 'xai'],
])
const gateways: ReadonlySet<string> = new Set(['openrouter', 'vertex_ai', 'bedrock', 'models', 'publishers'])

/** What a provider puts behind the name of a model to tell its snapshots apart. */
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
  /** The provider that the prefix names. */
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

/** Claude models are written `3.5` and `3-5`, and carry a version on Bedrock and Vertex AI. */
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

/** The name by which models are compared: lower case, without the prefix of a provider that is known. */
export function normalizeModel(model: string): string {
  return parseName(model).name
}

interface Family {
  provider: PriceProvider
  /** Its first name, normalised. */
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

/** `ft:gpt-4o-2024-08-06:owner::id` is priced by what was tuned. */
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

/** Remembers what names of models stand for: every trace asks, and there are few models. */
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

/** Names by which something set for a model may be found: its own, that of its family, and its name without a date. */
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

/** The override that began last; of two that began together, the one for the exact name. */
function findOverride({ name, family }: Resolved, atMs: number, overrides: PriceOverrides) {
  const begun = ({ startMs }: PriceOverride) => startMs <= atMs
  const exact = overrides.get(name)?.find(begun)
  const ofFamily = family && family.name !== name ? overrides.get(family.name)?.find(begun) : undefined
  if (!exact || !ofFamily) return exact ?? ofFamily
  return ofFamily.startMs > exact.startMs ? ofFamily : exact
}

/**
 * What a model cost at that time: an override that had begun, else the built-in row that held. The first row of a
 * model also stands for the time before it. Undefined for a model that neither knows.
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

/** A count that can be priced; anything else counts as absent. */
function tokens(usage: Usage, name: string): number | undefined {
  const value = usage[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Takes the parts out of the whole, each no larger than what is left, and prices the rest as plain. */
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
 * USD of a call, each token priced once. `prompt_tokens` includes cached and audio tokens, `completion_tokens`
 * includes reasoning and audio. Null when the usage holds nothing that can be priced, or the sum is beyond all
 * measure.
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
