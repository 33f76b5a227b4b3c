import { type Static, Type } from 'typebox'
import { absent, body, Name, Timestamp } from './common.ts'
import { limits } from './limits.ts'

export const priceProviders = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'cohere',
  'xai',
] as const
export type PriceProvider = (typeof priceProviders)[number]

/** USD per 1,000,000 tokens. */
const UsdPerMillion = Type.Number({ minimum: 0, maximum: limits.largestPrice })
const UsdOrNull = Type.Union([Type.Number(), Type.Null()])

/** If null, these tokens have the price of the whole that they are a part of. */
const parts = {
  cache_read: UsdOrNull,
  cache_write: UsdOrNull,
  reasoning: UsdOrNull,
  audio_input: UsdOrNull,
  audio_output: UsdOrNull,
}

export const BuiltInPrice = Type.Object(
  {
    provider: Type.Enum(priceProviders),
    model: Type.String(),
    aliases: Type.Array(Type.String()),
    from: Type.String({ format: 'date', description: 'the first day (UTC) of the price' }),
    input: Type.Number(),
    output: UsdOrNull,
    ...parts,
    long_prompt: Type.Union([
      Type.Object({
        above: Type.Integer({ description: 'applies above this number of prompt tokens' }),
        input: Type.Number(),
        output: Type.Number(),
        cache_read: UsdOrNull,
        cache_write: UsdOrNull,
      }),
      Type.Null(),
    ]),
    source: Type.String({ format: 'uri' }),
    checked: Type.String({ format: 'date' }),
    confirmed: Type.Boolean({ description: 'false if not all numbers could be confirmed' }),
  },
  { description: 'USD per 1,000,000 tokens; long_prompt prices the whole call if the prompt is longer' },
)
export type BuiltInPrice = Static<typeof BuiltInPrice>

export const ListPricesQuery = Type.Object({
  provider: Type.Optional(Type.Enum(priceProviders)),
  q: Type.Optional(Type.String({ description: 'part of the name of the model or of an alias' })),
})
export type ListPricesQuery = Static<typeof ListPricesQuery>

/** A price that a project sets. */
export const SetPrice = body({
  model: Name,
  start_date: absent(Type.String({ description: 'ISO 8601; default now' })),
  input: UsdPerMillion,
  output: UsdPerMillion,
  cache_read: absent(UsdPerMillion),
  cache_write: absent(UsdPerMillion),
  reasoning: absent(UsdPerMillion),
  audio_input: absent(UsdPerMillion),
  audio_output: absent(UsdPerMillion),
})
export type SetPrice = Static<typeof SetPrice>

export const ProjectPrice = Type.Object({
  price_id: Type.String(),
  model: Type.String({ description: 'normalised name: lower case, without the prefix of a provider' }),
  start_date: Timestamp,
  input: Type.Number(),
  output: Type.Number(),
  ...parts,
  created_at: Timestamp,
})
export type ProjectPrice = Static<typeof ProjectPrice>

export const ProjectPriceParams = Type.Object({ project_id: Type.String(), price_id: Type.String() })
