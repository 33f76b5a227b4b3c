import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { builtInModels, extractiveModel } from './catalogue.ts'
import { type PriceRow, priceTable } from './prices.data.ts'
import { findPrice } from './prices.ts'

/** At noon UTC, when no vendor has a price for a time of day. */
const now = new Date('2026-11-23T12:00:00Z')

const providerIds: Partial<Record<PriceRow['provider'], string>> = { xai: 'x-ai' }

const parts = {
  input: 'input_mtok',
  output: 'output_mtok',
  cache_read: 'cache_read_mtok',
  cache_write: 'cache_write_mtok',
} as const

function because(reason: string, ...differences: string[]) {
  return differences.map((difference) => [difference, reason] as const)
}

/** Reasons for differences, by `model part`. A reason without a difference fails the test, too. */
const explained: ReadonlyMap<string, string> = new Map([
  ...because(
    'the other list means another model with a similar name: claude-sonnet-5',
    'claude-sonnet-5-5 cache_read',
  ),
  ...because(
    'the other list means gemini-1.5-flash, which cost twice as much',
    'gemini-1.5-flash-8b cache_read',
    'gemini-1.5-flash-8b input',
    'gemini-1.5-flash-8b long_prompt',
    'gemini-1.5-flash-8b output',
  ),
  ...because('the other list means gpt-4o-mini', 'gpt-4o-mini-search-preview cache_read'),
  ...because(
    'the other list notes that it found no source for this model',
    'gemini-1.0-pro input',
    'gemini-1.0-pro output',
  ),
  ...because(
    'the other list omits the price of cached tokens of a retired model',
    'gemini-1.5-pro cache_read',
  ),
  ...because(
    'the undated name: it has the price of the latest version here, and of the first version there',
    'mistral-large cache_read',
    'mistral-large input',
    'mistral-large output',
    'mistral-medium cache_read',
    'mistral-medium input',
    'mistral-medium output',
  ),
  ...because(
    "the vendor's page has no price of cached tokens; the other list takes a tenth",
    'ministral-8b-2512 cache_read',
    'mistral-medium-2505 cache_read',
    'mistral-medium-2508 cache_read',
    'mistral-medium-3.5 cache_read',
  ),
  ...because('an embedding model has no output', 'mistral-embed output'),
  ...because(
    'the price of the peak hours, which is never too low; the other list has the hours, and half the price outside of them',
    'deepseek-v4-pro cache_read',
    'deepseek-v4-pro input',
    'deepseek-v4-pro output',
    'deepseek-v4-flash cache_read',
    'deepseek-v4-flash input',
    'deepseek-v4-flash output',
  ),
  ...because(
    'the price since the name means deepseek-v4-flash; the other list has the prices of the model before',
    'deepseek-chat cache_read',
    'deepseek-chat input',
    'deepseek-chat output',
    'deepseek-reasoner cache_read',
    'deepseek-reasoner input',
    'deepseek-reasoner output',
  ),
  ...because("not settled: both lists refer to the vendor's page", 'grok-4.5 cache_read'),
])

/** Offered models that only the catalogues of the SDK's packages know. */
const newer: ReadonlySet<string> = new Set(['gpt-6.1-sol', 'claude-haiku-5-5'])

type Listed = number | { base: number; tiers: { start: number; price: number }[] } | undefined

/** The row of each model that applies now. */
const rows = [...new Set(priceTable.map(({ model }) => model))].flatMap((model) => {
  const row = findPrice(model, now.getTime())
  return row && 'source' in row ? [row] : []
})

function differencesOf(row: PriceRow): string[] | undefined {
  const provider = providerIds[row.provider] ?? row.provider
  const found = calcPrice({ input_tokens: 1 }, row.model, { providerId: provider, timestamp: now })
  if (!found) return undefined
  const listed = found.model_price as Record<string, Listed>
  const differences = Object.entries(parts).flatMap(([part, theirs]) => {
    const price = listed[theirs]
    const base = typeof price === 'object' ? price.base : price
    return base === row[part as keyof typeof parts] ? [] : [part]
  })
  const tier = typeof listed.input_mtok === 'object' ? listed.input_mtok.tiers[0] : undefined
  const long = row.long_prompt
  // Their limit is sometimes the last token of the lower price, sometimes the first of the higher one.
  const isSame = tier
    ? long?.input === tier.price && Math.abs(long.above - tier.start) <= 1
    : long === undefined
  return isSame ? differences : [...differences, 'long_prompt']
}

describe('the price table beside the list of genai-prices', () => {
  const compared = rows.flatMap((row) => {
    const differences = differencesOf(row)
    return differences ? [{ row, differences }] : []
  })

  it('has many models in common with it', () => {
    expect(compared.length).toBeGreaterThan(150)
  })

  it('differs only where a reason is given', () => {
    const found = compared.flatMap(({ row, differences }) =>
      differences.map((part) => `${row.model} ${part}`),
    )
    expect(found.sort()).toEqual([...explained.keys()].sort())
  })
})

describe('built-in names', () => {
  const chat = builtInModels.filter(({ name }) => name !== extractiveModel)

  it('have a price, also if the model is no longer sold', () => {
    for (const { name } of chat)
      if (!name.startsWith('groq/')) expect(findPrice(name, now.getTime()), name).toBeDefined()
  })

  it('are offered only if the other list knows their models', () => {
    for (const { id, provider, isRetired } of chat) {
      if (!isRetired && !newer.has(id))
        expect(
          calcPrice({ input_tokens: 1 }, id, { providerId: provider, timestamp: now }),
          id,
        ).not.toBeNull()
    }
  })
})
