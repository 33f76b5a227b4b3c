import type { TokenUsage } from '@cairn/contract'
import { isObject, type JsonObject } from '@cairn/contract/conversations'
import type { AttributeReader } from './reader.ts'
import { costNames, costObjects, tokenNames, usageObjects } from './table.ts'
import { amountOf, objectIn } from './values.ts'

type Counts = { [key: string]: number }

const tokenKeys = Object.keys(tokenNames) as (keyof typeof tokenNames)[]

function numbersOf(object: JsonObject): [string, number][] {
  return Object.entries(object).flatMap(([key, value]) => {
    const amount = typeof value === 'number' ? amountOf(value) : undefined
    return amount === undefined ? [] : [[key, amount] as [string, number]]
  })
}

/** Kinds of tokens by a word in their names. The first word that fits counts. */
const details: readonly (readonly [
  word: RegExp,
  ofInput: string | undefined,
  ofOutput: string | undefined,
])[] = [
  [/creation|write/i, 'cache_write_tokens', undefined],
  [/cache/i, 'cache_read_tokens', undefined],
  [/reasoning|thought/i, undefined, 'reasoning_tokens'],
  [/audio/i, 'input_audio_tokens', 'output_audio_tokens'],
]

function detailOf(name: string, isOutput: boolean): string | undefined {
  const [, ofInput, ofOutput] = details.find(([word]) => word.test(name)) ?? []
  return isOutput ? ofOutput : ofInput
}

function addDetails(counts: Counts, value: unknown, isOutput: boolean): void {
  if (!isObject(value)) return
  for (const [name, count] of numbersOf(value)) {
    const key = detailOf(name, isOutput)
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + count
  }
}

const [inputWholes, outputWholes] = [
  ['input', 'prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokens'],
  ['output', 'completion_tokens', 'output_tokens', 'outputTokens', 'completionTokens'],
]
const totals = ['total', 'total_tokens', 'totalTokens']

/**
 * Token counts of a JSON object. The whole includes its details, except in Langfuse's own form (`input`, `output`), where all
 * counts are apart from each other; a total that equals `input` plus `output` shows that they are not.
 */
function usageOfObject(usage: JsonObject): Counts {
  const numbers = new Map(numbersOf(usage))
  const first = (names: readonly string[]) => names.find((name) => numbers.has(name))
  const [inputName, outputName, totalName] = [first(inputWholes), first(outputWholes), first(totals)]
  const counts: Counts = {}
  let [input, output] = [numbers.get(inputName ?? ''), numbers.get(outputName ?? '')]
  const total = numbers.get(totalName ?? '')
  const areApart =
    (inputName === 'input' || outputName === 'output') && total !== (input ?? 0) + (output ?? 0)
  for (const [name, count] of numbers) {
    if (name === inputName || name === outputName || name === totalName) continue
    const isOutput = /output|completion|reasoning|thought/i.test(name)
    const key = detailOf(name, isOutput)
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + count
    if (!areApart || !/input|output|prompt|completion|cache|reasoning|thought|audio/i.test(name)) continue
    if (isOutput) output = (output ?? 0) + count
    else input = (input ?? 0) + count
  }
  for (const name of ['prompt_tokens_details', 'input_tokens_details', 'input_token_details']) {
    addDetails(counts, usage[name], false)
  }
  for (const name of ['completion_tokens_details', 'output_tokens_details', 'output_token_details']) {
    addDetails(counts, usage[name], true)
  }
  return {
    ...(input !== undefined && { prompt_tokens: input }),
    ...(output !== undefined && { completion_tokens: output }),
    ...(total !== undefined && { total_tokens: total }),
    ...counts,
  }
}

function withTotal(counts: Counts): TokenUsage | undefined {
  if (Object.keys(counts).length === 0) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens } = counts
  const total =
    total_tokens ??
    (prompt === undefined && completion === undefined ? undefined : (prompt ?? 0) + (completion ?? 0))
  return { ...counts, ...(total !== undefined && { total_tokens: total }) }
}

/** The tokens of a span. `answer` is the output of a model of Genkit, which contains its usage. */
export function readUsage(reader: AttributeReader, answer: unknown): TokenUsage | undefined {
  const entries = tokenKeys.flatMap((key) => {
    const count = reader.take(tokenNames[key], amountOf)
    return count === undefined ? [] : [[key, count] as const]
  })
  const counts: Counts = Object.fromEntries(entries)
  if (entries.length > 0) return withTotal(counts)
  const object = reader.first(usageObjects, objectIn) ?? objectIn(objectIn(answer)?.usage)
  return object && withTotal(usageOfObject(object))
}

function costOfObject(value: unknown): number | undefined {
  const object = objectIn(value)
  if (!object) return undefined
  const numbers = numbersOf(object)
  const total = numbers.find(([name]) => name === 'total' || name === 'total_cost')
  if (total) return total[1]
  return numbers.length === 0 ? undefined : numbers.reduce((sum, [, cost]) => sum + cost, 0)
}

/** The cost that the client sent. */
export function readCost(reader: AttributeReader): number | undefined {
  const cost = (value: unknown) => (typeof value === 'number' ? amountOf(value) : undefined)
  const total = reader.take(costNames.total, cost) ?? reader.first(costObjects, costOfObject)
  if (total !== undefined) return total
  const parts = [reader.first(costNames.prompt, cost), reader.first(costNames.completion, cost)]
  return parts.every((part) => part === undefined) ? undefined : (parts[0] ?? 0) + (parts[1] ?? 0)
}
