import { priceProviders } from '@cairn/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Price, priceTable } from './prices.data.ts'
import { computeCost, findPrice, groupOverrides, ModelNames, normalizeModel, type Usage } from './prices.ts'

const now = Date.parse('2026-11-21')
const modelOf = (name: string, at = now) => findPrice(name, at)?.model

describe('the price table', () => {
  const numbers = (price: object) =>
    Object.entries(price).filter((entry): entry is [string, number] => typeof entry[1] === 'number')

  it('knows the models of every provider', () => {
    expect(new Set(priceTable.map(({ model }) => model)).size).toBeGreaterThan(150)
    expect([...new Set(priceTable.map(({ provider }) => provider))]).toEqual([...priceProviders])
  })

  it.each(priceTable.map((row) => [`${row.model} from ${row.from}`, row] as const))('%s', (_, row) => {
    expect(new Date(row.from).toISOString().slice(0, 10)).toBe(row.from)
    expect(new Date(row.checked).toISOString().slice(0, 10)).toBe(row.checked)
    expect(new URL(row.source).protocol).toBe('https:')
    for (const [name, value] of [...numbers(row), ...numbers(row.long_prompt ?? {})]) {
      expect(value, name).toBeGreaterThan(0)
      if (name !== 'above') expect(value, name).toBeLessThanOrEqual(600)
    }
    // Typing errors would break these rules.
    expect(row.output ?? row.input).toBeGreaterThanOrEqual(row.input)
    expect(row.cache_read ?? 0).toBeLessThan(row.input)
    expect(row.cache_write ?? row.input).toBeGreaterThanOrEqual(row.input)
    expect(row.long_prompt?.input ?? Infinity).toBeGreaterThan(row.input)
    expect(row.long_prompt?.output ?? Infinity).toBeGreaterThan(row.output ?? 0)
  })

  it('has each model once a day, and each name for one model', () => {
    const days = priceTable.map(({ model, from }) => `${model} ${from}`)
    expect(days).toEqual([...new Set(days)])
    const owners = new Map<string, string>()
    for (const { model, aliases } of priceTable) {
      for (const name of [model, ...aliases].map(normalizeModel)) {
        expect(owners.get(name) ?? model, name).toBe(model)
        owners.set(name, model)
      }
    }
  })

  it('finds every model and alias by its own name', () => {
    for (const { model, aliases } of priceTable) {
      for (const name of [model, ...aliases]) expect(modelOf(name), name).toBe(model)
    }
  })
})

describe('finding a price', () => {
  it.each([
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['GPT-4o', 'gpt-4o'],
    [' gpt-4o ', 'gpt-4o'],
    ['openai/gpt-4o', 'gpt-4o'],
    ['openrouter/openai/gpt-4o-mini', 'gpt-4o-mini'],
    ['vertex/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['chatgpt-4o-latest', 'gpt-4o-2024-05-13'],
    ['o3-2025-04-16', 'o3'],
    ['o3-mini-2025-01-31', 'o3-mini'],
    ['gpt-4-0613', 'gpt-4'],
    ['gpt-4-1106-preview', 'gpt-4-turbo'],
    ['gpt-4-turbo-2024-04-09', 'gpt-4-turbo'],
    ['ft:gpt-4o-mini-2024-07-18:acme::abc123', 'ft:gpt-4o-mini'],
    ['ft:gpt-3.5-turbo-0125:acme', 'ft:gpt-3.5-turbo'],
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
    ['claude-3.5-sonnet', 'claude-3-5-sonnet'],
    ['anthropic/claude-3.5-sonnet', 'claude-3-5-sonnet'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', 'claude-3-7-sonnet'],
    ['us-gov.anthropic.claude-3-haiku-20240307-v1:0:200k', 'claude-3-haiku'],
    ['bedrock/eu.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1'],
    [
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0',
      'claude-haiku-4-5',
    ],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['vertex_ai/claude-3-5-sonnet@20240620', 'claude-3-5-sonnet'],
    ['claude-opus-4-20250514', 'claude-opus-4'],
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-2.1', 'claude-2.1'],
    ['models/gemini-1.5-pro-002', 'gemini-1.5-pro'],
    ['gemini/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['google/gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
    ['projects/p/locations/us/publishers/google/models/gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['mistralai/mistral-large-latest', 'mistral-large'],
    ['mistral-large-2411', 'mistral-large-2411'],
    ['x-ai/grok-4-0709', 'grok-4'],
    ['deepseek/deepseek-chat', 'deepseek-chat'],
    ['cohere/command-r-plus-08-2024', 'command-r-plus-08-2024'],
    ['text-embedding-3-small', 'text-embedding-3-small'],
  ])('%s is priced as %s', (name, model) => {
    expect(modelOf(name)).toBe(model)
  })

  it.each([
    '',
    ' ',
    '/',
    'openai/',
    'gpt',
    'gpt-4o-',
    'gpt-4o-mega',
    'gpt-4o-mini-mini',
    'gpt-4o:free',
    'my-gpt-4o',
    'gpt-4o-20240806',
    'gpt-4-1106',
    'claude',
    'claude-3-5',
    'claude-9-opus-20300101',
    'azure/gpt-4o',
    'acme/gpt-4o',
    'openai/claude-3-opus',
    'anthropic/gpt-4o',
    'mistral-large-2999',
    'llama-3.1-70b',
    'ft:llama',
    '__proto__',
    'constructor/gpt-4o',
    'toString',
    'x'.repeat(100_000),
    `gpt-4o${' '.repeat(300)}`,
  ])('knows no price of %j', (name) => {
    expect(findPrice(name, now)).toBeUndefined()
  })

  it('uses the row of the given time, and the first row for earlier times', () => {
    const input = (model: string, day: string) => findPrice(model, Date.parse(day))?.input
    expect(input('o3', '2025-06-09T23:59:59.999Z')).toBe(10)
    expect(input('o3', '2025-06-10')).toBe(2)
    expect(input('o3', '1970-01-01')).toBe(10)
    expect(input('o3', '9999-12-31')).toBe(2)
    expect(input('gpt-4o', '2024-06-01')).toBe(5)
    expect(input('gpt-4o-2024-08-06', '2024-09-01')).toBe(2.5)
  })

  it('is independent of the number and the order of lookups', () => {
    const known = new ModelNames()
    const names = fc.constantFrom(...priceTable.map(({ model }) => model), 'none', 'GPT-4O', 'a/b')
    fc.assert(
      fc.property(fc.array(names), (asked) => {
        const first = asked.map((name) => findPrice(name, now))
        expect(asked.map((name) => findPrice(name, now))).toEqual(first)
        expect(asked.map((name) => findPrice(name, now, undefined, known))).toEqual(first)
      }),
    )
  })

  it('remembers a bounded number of names without forgetting the table', () => {
    const known = new ModelNames()
    const priceOf = (name: string) => findPrice(name, now, undefined, known)
    for (let i = 0; i < 25_000; i++) expect(priceOf(`unknown-${i}`)).toBeUndefined()
    expect(known.size).toBe(10_000)
    expect(priceOf('gpt-4o')?.model).toBe('gpt-4o')
    expect(priceOf('unknown-1')).toBeUndefined()
  })

  it('never throws, whatever the name', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => void findPrice(name, now)))
  })
})

describe('overrides', () => {
  const start = Date.parse('2026-03-01')
  const override = (model: string, startMs: number, input: number) => ({ model, startMs, input, output: 1 })
  const find = (model: string, atMs: number, ...overrides: ReturnType<typeof override>[]) =>
    findPrice(model, atMs, groupOverrides(overrides))?.input

  it('override the table from their start', () => {
    const own = override('gpt-4o', start, 7)
    expect(find('gpt-4o', start - 1, own)).toBe(2.5)
    expect(find('gpt-4o', start, own)).toBe(7)
    expect(find('gpt-4o-2024-08-06', start, own)).toBe(7)
    expect(find('OpenAI/GPT-4o', start, own)).toBe(7)
    expect(find('gpt-4o-mini', start, own)).toBe(0.15)
  })

  it('apply from their start; the latest one that has started is used', () => {
    const own = [override('o3', start, 1), override('o3', start + 20, 3), override('o3', start + 10, 2)]
    expect([0, 10, 19, 20, 99].map((later) => find('o3', start + later, ...own))).toEqual([1, 2, 2, 3, 3])
    expect(find('o3', start - 1, ...own)).toBe(2)
  })

  it('price models that the table does not know, by their exact name', () => {
    const own = override('Acme/Tuned-7B', start, 4)
    expect(find('acme/tuned-7b', start, own)).toBe(4)
    expect(find('acme/tuned-7b-2026-01-01', start, own)).toBeUndefined()
    expect(find('tuned-7b', start, own)).toBeUndefined()
    expect(find('acme/tuned-7b', start - 1, own)).toBeUndefined()
  })

  it('for a snapshot compete with those of its family: the later start wins, the exact name at a tie', () => {
    const family = override('gpt-4o', start, 1)
    expect(find('gpt-4o-2024-08-06', start + 5, family, override('gpt-4o-2024-08-06', start + 5, 2))).toBe(2)
    expect(find('gpt-4o-2024-08-06', start, family, override('gpt-4o-2024-08-06', start, 2))).toBe(2)
    expect(find('gpt-4o-2024-08-06', start, family, override('gpt-4o-2024-08-06', start - 5, 2))).toBe(1)
    expect(find('gpt-4o', start + 5, override('gpt-4o-2024-08-06', start, 2))).toBe(2.5)
  })

  it('apply to all names of a family in the table', () => {
    expect(find('claude-3-5-sonnet-20241022', start, override('claude-3.5-sonnet', start, 9))).toBe(9)
    expect(find('claude-3.5-sonnet', start, override('claude-3-5-sonnet', start, 9))).toBe(9)
  })
})

const full: Price = {
  input: 2,
  output: 8,
  cache_read: 0.5,
  cache_write: 2.5,
  reasoning: 16,
  audio_input: 32,
  audio_output: 64,
}

describe('the cost of a call', () => {
  it.each<[string, Usage, Price, number | null]>([
    [
      'prompt and completion',
      { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
      full,
      2800,
    ],
    ['a prompt alone', { prompt_tokens: 1000 }, full, 2000],
    ['a completion alone', { completion_tokens: 100 }, full, 800],
    ['nothing used', { prompt_tokens: 0, completion_tokens: 0 }, full, 0],
    ['cached tokens once', { prompt_tokens: 1000, cache_read_tokens: 400 }, full, 1400],
    ['tokens written to the cache', { prompt_tokens: 1000, cache_write_tokens: 400 }, full, 2200],
    [
      'read and written',
      { prompt_tokens: 1000, cache_read_tokens: 400, cache_write_tokens: 600 },
      full,
      1700,
    ],
    ['more cached than sent', { prompt_tokens: 10, cache_read_tokens: 400 }, full, 5],
    ['parts beyond the whole', { prompt_tokens: 10, cache_read_tokens: 6, cache_write_tokens: 9 }, full, 13],
    ['cached tokens of no prompt', { cache_read_tokens: 400, completion_tokens: 1 }, full, 8],
    ['reasoning', { completion_tokens: 100, reasoning_tokens: 60 }, full, 1280],
    ['more reasoning than output', { completion_tokens: 100, reasoning_tokens: 160 }, full, 1600],
    ['audio is of the prompt', { prompt_tokens: 100, audio_tokens: 10 }, full, 500],
    ['audio in', { prompt_tokens: 100, input_audio_tokens: 10, audio_tokens: 99 }, full, 500],
    ['audio out', { completion_tokens: 100, output_audio_tokens: 10 }, full, 1360],
    [
      'parts without a price of their own',
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        cache_read_tokens: 50,
        audio_tokens: 20,
        reasoning_tokens: 5,
      },
      { input: 2, output: 8 },
      280,
    ],
    ['a total alone, of a chat model', { total_tokens: 1000 }, full, null],
    ['a total alone, of an embedding model', { total_tokens: 1000 }, { input: 2 }, 2000],
    ['a total alone, output free', { total_tokens: 1000 }, { input: 2, output: 0 }, 2000],
    ['an embedding', { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }, { input: 2 }, 20],
    ['no tokens', {}, full, null],
    ['extras alone', { cache_read_tokens: 5, images: 3 }, full, null],
    ['unknown extras', { prompt_tokens: 1, images: 3, seconds: 4.5 }, full, 2],
    ['negative extras', { prompt_tokens: 10, cache_read_tokens: -5, reasoning_tokens: -1 }, full, 20],
    ['extras that are no number', { prompt_tokens: 10, cache_read_tokens: NaN }, full, 20],
    ['endless extras', { prompt_tokens: 10, cache_read_tokens: Infinity }, full, 20],
    ['extras as text', { prompt_tokens: 10, cache_read_tokens: '5' }, full, 20],
    ['beyond all measure', { prompt_tokens: 1e308, completion_tokens: 1e308 }, full, null],
    ['a free model', { prompt_tokens: 10, completion_tokens: 10 }, { input: 0, output: 0 }, 0],
  ])('%s', (_, usage, price, millionths) => {
    expect(computeCost(usage, price)).toBe(millionths === null ? null : millionths / 1_000_000)
  })

  it('uses the prices for long prompts for the whole call', () => {
    const long_prompt = { above: 1000, input: 4, output: 12, cache_read: 1, cache_write: 5 }
    const price = { ...full, long_prompt }
    const usage = { completion_tokens: 10, cache_read_tokens: 100 }
    expect(computeCost({ ...usage, prompt_tokens: 1000 }, price)).toBe(0.00193)
    expect(computeCost({ ...usage, prompt_tokens: 1001 }, price)).toBe((901 * 4 + 100 + 120) / 1_000_000)
  })

  const count = fc.nat({ max: 300 })
  const usages = fc.record(
    {
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      cache_read_tokens: count,
      cache_write_tokens: count,
      reasoning_tokens: count,
      audio_tokens: count,
      input_audio_tokens: count,
      output_audio_tokens: count,
    },
    { requiredKeys: [] },
  )
  const usd = fc.double({ min: 0, max: 1000, noNaN: true })
  const part = fc.option(usd, { nil: undefined })
  const prices = fc
    .record({
      input: usd,
      output: part,
      cache_read: part,
      cache_write: part,
      reasoning: part,
      audio_input: part,
      audio_output: part,
    })
    .map((price) => JSON.parse(JSON.stringify(price)) as Price)

  /** A reference implementation that prices one token at a time. */
  function tokenByToken(usage: Record<string, number | undefined>, price: Price): number | null {
    const { prompt_tokens, completion_tokens } = usage
    const prompt = prompt_tokens ?? (price.output ? undefined : usage.total_tokens)
    if (prompt === undefined && completion_tokens === undefined) return null
    const plainOutput = price.output ?? 0
    const left = {
      read: usage.cache_read_tokens ?? 0,
      write: usage.cache_write_tokens ?? 0,
      audio: usage.input_audio_tokens ?? usage.audio_tokens ?? 0,
      reasoning: usage.reasoning_tokens ?? 0,
      spoken: usage.output_audio_tokens ?? 0,
    }
    let sum = 0
    for (let i = 0; i < (prompt ?? 0); i++) {
      if (left.read-- > 0) sum += price.cache_read ?? price.input
      else if (left.write-- > 0) sum += price.cache_write ?? price.input
      else if (left.audio-- > 0) sum += price.audio_input ?? price.input
      else sum += price.input
    }
    for (let i = 0; i < (completion_tokens ?? 0); i++) {
      if (left.reasoning-- > 0) sum += price.reasoning ?? plainOutput
      else if (left.spoken-- > 0) sum += price.audio_output ?? plainOutput
      else sum += plainOutput
    }
    return sum / 1_000_000
  }

  it('prices each token once', () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const expected = tokenByToken(usage, price)
        const cost = computeCost(usage, price)
        if (expected === null || cost === null) expect(cost).toBe(expected)
        else expect(Math.abs(cost - expected)).toBeLessThanOrEqual(expected * 1e-9)
      }),
    )
  })

  it('never falls if more tokens are sent or received', () => {
    const wholes = fc.constantFrom('prompt_tokens', 'completion_tokens')
    fc.assert(
      fc.property(usages, prices, wholes, count, (usage, price, name, more) => {
        const before = computeCost({ ...usage, [name]: usage[name] ?? 0 }, price) ?? 0
        const after = computeCost({ ...usage, [name]: (usage[name] ?? 0) + more }, price) ?? 0
        expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-12))
      }),
    )
  })

  it('changes with a part by the difference between its price and the plain price', () => {
    const cases = fc.constantFrom(
      ['prompt_tokens', 'cache_read_tokens', 'cache_read', 'input'] as const,
      ['prompt_tokens', 'cache_write_tokens', 'cache_write', 'input'] as const,
      ['prompt_tokens', 'audio_tokens', 'audio_input', 'input'] as const,
      ['completion_tokens', 'reasoning_tokens', 'reasoning', 'output'] as const,
      ['completion_tokens', 'output_audio_tokens', 'audio_output', 'output'] as const,
    )
    fc.assert(
      fc.property(cases, prices, count, count, count, ([whole, name, own, plain], price, n, a, b) => {
        const cost = (tokens: number) => computeCost({ [whole]: n, [name]: tokens }, price) ?? 0
        const plainPrice = price[plain] ?? 0
        const direction = Math.sign((price[own] ?? plainPrice) - plainPrice)
        const change = (cost(Math.max(a, b)) - cost(Math.min(a, b))) * direction
        expect(change).toBeGreaterThanOrEqual(-1e-12)
      }),
    )
  })

  it('is never negative, never NaN, and zero for zero, for any input', () => {
    const anything = fc.dictionary(
      fc.constantFrom('prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'reasoning_tokens', 'x'),
      fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constant(null)),
    )
    fc.assert(
      fc.property(anything, prices, (usage, price) => {
        const cost = computeCost(usage, price)
        if (cost !== null) expect(cost >= 0 && cost <= 1e15).toBe(true)
        const zero = Object.fromEntries(Object.keys(usage).map((name) => [name, 0]))
        expect(computeCost(zero, price) ?? 0).toBe(0)
      }),
    )
  })
})
