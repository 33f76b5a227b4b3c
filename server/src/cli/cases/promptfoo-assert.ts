import type { AssertionInput } from '@cairn/contract'
import { type Folder, parseYaml } from './folder.ts'
import { isObject, messageOf } from './read.ts'
import { render, type Variables } from './template.ts'

/** The converted assertions of a test. `references` are expected answers that the assertions contain, best first. */
export interface MappedAssertions {
  assertions: AssertionInput[]
  references: string[]
  /** Assertions that were left out, with the reason. */
  left: string[]
}

interface Given {
  type: string
  value: unknown
  threshold: number | undefined
  folder: Folder
}

/** An assertion that Cairn cannot express; the message gives the reason. */
class NoCounterpart extends Error {}

function textOf(value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  if (!isPlain) throw new NoCounterpart('its value is not text')
  return String(value)
}

/** A list, or the comma-separated text of a CSV cell. */
function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(list) || list.length === 0) throw new NoCounterpart('its value is not a list')
  return list.map(textOf)
}

function anyOf(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
}

function limitOf({ threshold }: Given): number {
  if (threshold === undefined) throw new NoCounterpart('without a threshold it only measures')
  return threshold
}

/** The schema of `is-json`: an object, a file, or its text. */
function schemaOf({ value, folder }: Given): object {
  const schema =
    typeof value !== 'string'
      ? value
      : value.startsWith('file://')
        ? folder.value(value)
        : parseYaml(value, 'its value')
  if (!isObject(schema)) throw new NoCounterpart('its value is not a JSON schema')
  return schema
}

function similarTo({ value, threshold }: Given): AssertionInput[] {
  if (Array.isArray(value)) throw new NoCounterpart('it accepts any of several texts')
  return [{ type: 'similar', value: { text: textOf(value), threshold: threshold ?? 0.75 } }]
}

const judged = (scorer: string, threshold = 0.7): AssertionInput[] => [
  { type: 'min_score', value: threshold, scorer },
]

/** Assertion types with the same meaning in Cairn. */
const counterparts: Record<string, (given: Given) => AssertionInput[]> = {
  equals: ({ value }) => [{ type: 'equals', value: textOf(value) }],
  contains: ({ value }) => [{ type: 'contains', value: textOf(value) }],
  icontains: ({ value }) => [{ type: 'icontains', value: textOf(value) }],
  'not-contains': ({ value }) => [{ type: 'not_contains', value: textOf(value) }],
  'starts-with': ({ value }) => [{ type: 'starts_with', value: textOf(value) }],
  regex: ({ value }) => [{ type: 'regex', value: textOf(value) }],
  'contains-all': ({ value }) => textsOf(value).map((text) => ({ type: 'contains', value: text })),
  'icontains-all': ({ value }) => textsOf(value).map((text) => ({ type: 'icontains', value: text })),
  'contains-any': ({ value }) => [{ type: 'regex', value: anyOf(textsOf(value)) }],
  'icontains-any': ({ value }) => [{ type: 'regex', value: `(?i:${anyOf(textsOf(value))})` }],
  'is-json': (given) =>
    given.value === undefined
      ? [{ type: 'json_valid', value: true }]
      : [{ type: 'json_schema', value: schemaOf(given) }],
  'not-is-json': ({ value }) => {
    if (value !== undefined) throw new NoCounterpart('it has a schema')
    return [{ type: 'json_valid', value: false }]
  },
  latency: (given) => [{ type: 'max_latency_ms', value: limitOf(given) }],
  cost: (given) => [{ type: 'max_cost', value: limitOf(given) }],
  similar: similarTo,
  'similar:cosine': similarTo,
  factuality: ({ value }) => {
    textOf(value)
    return judged('correctness')
  },
  'answer-relevance': ({ threshold }) => judged('relevance', threshold),
}

const reasons: Record<string, string> = {
  'llm-rubric': 'no built-in scorer accepts criteria: create a scorer with them, and name it in min_score',
  javascript: 'code is not executed',
  python: 'code is not executed',
}

/** Why type and value do not describe the assertion completely; undefined if they do. */
function oddity(given: Record<string, unknown>): string | undefined {
  if (given.weight === 0) return 'with the weight 0 it fails no test'
  if (given.transform !== undefined) return 'it checks a transformed output'
  return undefined
}

function rendered(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.map((each) => rendered(each, variables))
  if (typeof value !== 'string') return value
  const { text, missing } = render(value, variables)
  if (missing.length > 0) throw new NoCounterpart(`{{${missing[0]}}} has no value`)
  return text
}

function mapOne(given: Record<string, unknown>, variables: Variables, folder: Folder): MappedAssertions {
  const type = String(given.type)
  const counterpart = Object.hasOwn(counterparts, type) ? counterparts[type] : undefined
  if (!counterpart) throw new NoCounterpart(reasons[type] ?? 'no assertion type has the same meaning')
  const odd = oddity(given)
  if (odd !== undefined) throw new NoCounterpart(odd)
  const value = rendered(given.value ?? undefined, variables)
  const isFile = typeof value === 'string' && value.startsWith('file://') && type !== 'is-json'
  if (isFile) throw new NoCounterpart('its value is a file')
  const threshold = typeof given.threshold === 'number' ? given.threshold : undefined
  const assertions = counterpart({ type, value, threshold, folder })
  const isReference = ['factuality', 'equals', 'similar', 'similar:cosine'].includes(type)
  return { assertions, references: isReference ? [textOf(value)] : [], left: [] }
}

/** Flattens assertion sets that require all of their assertions. */
function flat(given: readonly unknown[]): unknown[] {
  return given.flatMap((each) =>
    isObject(each) && each.type === 'assert-set' && each.threshold === undefined && Array.isArray(each.assert)
      ? flat(each.assert)
      : [each],
  )
}

/** `factuality` compares with the expected answer of the case, and a case has only one. */
function withReference(result: MappedAssertions, type: string, found: MappedAssertions): string | undefined {
  const [reference] = found.references
  if (type !== 'factuality' || reference === undefined) {
    result.references.push(...found.references)
    return undefined
  }
  if (result.assertions.some(({ scorer }) => scorer === 'correctness')) {
    return result.references[0] === reference
      ? undefined
      : 'a case has one expected answer, and this is a different one'
  }
  result.references.unshift(reference)
  return undefined
}

export function mapAssertions(
  given: readonly unknown[],
  variables: Variables,
  folder: Folder,
): MappedAssertions {
  const result: MappedAssertions = { assertions: [], references: [], left: [] }
  for (const each of flat(given)) {
    const type = isObject(each) ? String(each.type) : 'an assertion'
    try {
      if (!isObject(each)) throw new NoCounterpart('it is not an object')
      const found = mapOne(each, variables, folder)
      const clash = withReference(result, type, found)
      if (clash !== undefined) throw new NoCounterpart(clash)
      result.assertions.push(...found.assertions)
    } catch (error) {
      result.left.push(`${type} is left out: ${messageOf(error)}`)
    }
  }
  return result
}
