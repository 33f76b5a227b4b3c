import { type Assertion, type AssertionInput, type AssertionType, CairnError, limits } from '@cairn/contract'

/** Lookups for the validation of assertions. */
export interface AssertionLookups {
  /** Whether the project has a scorer with this slug. */
  hasScorer(slug: string): Promise<boolean>
  /** The reason why a value is no JSON schema; undefined if it is one. */
  schemaProblem(schema: object): Promise<string | undefined>
}

/** The value of a `similar` assertion. */
export interface Similarity {
  /** The text to compare the output with; undefined for the expected answer. */
  text?: string
  /** The minimum similarity, 0 to 1. */
  threshold: number
}

const defaultSimilarity = 0.8

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= limits.largestAmount
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a `similar` assertion; a number is its threshold. Undefined if it is invalid. */
export function similarityOf(value: unknown): Similarity | undefined {
  if (isShare(value)) return { threshold: value }
  if (!isObject(value)) return undefined
  const { text, threshold = defaultSimilarity } = value
  if (!isShare(threshold) || (text !== undefined && !isText(text))) return undefined
  return text === undefined ? { threshold } : { text: text as string, threshold }
}

function isRegex(value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || value.length > limits.regexLength) return false
  try {
    new RegExp(value)
    return true
  } catch {
    return false
  }
}

interface Rule {
  isValid: (value: unknown) => boolean
  /** Text after "value must be". */
  expected: string
}

const text: Rule = { isValid: isText, expected: 'a string that is not empty' }
const amount = (unit: string): Rule => ({ isValid: isAmount, expected: `a number of ${unit}, 0 or more` })

const rules: Record<AssertionType, Rule> = {
  contains: text,
  not_contains: text,
  icontains: text,
  starts_with: text,
  equals: { isValid: (value) => typeof value === 'string', expected: 'a string' },
  regex: {
    isValid: isRegex,
    expected: `a string that is a regular expression of JavaScript, up to ${limits.regexLength} characters`,
  },
  max_latency_ms: amount('milliseconds'),
  max_cost: amount('USD'),
  min_score: { isValid: isShare, expected: 'a number from 0 to 1' },
  json_valid: {
    isValid: (value) => typeof value === 'boolean',
    expected: 'a boolean: whether it has to be JSON',
  },
  json_schema: { isValid: isObject, expected: 'an object, a JSON schema' },
  similar: {
    isValid: (value) => similarityOf(value) !== undefined,
    expected: 'a number from 0 to 1, the threshold, or an object of text (a string) and threshold',
  },
}

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

/**
 * The assertions to store.
 * @throws `invalid_request` with the name of the invalid field
 */
export async function checkAssertions(
  given: readonly AssertionInput[],
  lookups: AssertionLookups,
): Promise<Assertion[]> {
  const checked: Assertion[] = []
  for (const [index, assertion] of given.entries()) {
    checked.push(await checkAssertion(assertion, `assertions[${index}]`, lookups))
  }
  return checked
}

async function checkAssertion(
  { type, value: given, scorer }: AssertionInput,
  path: string,
  { hasScorer, schemaProblem }: AssertionLookups,
): Promise<Assertion> {
  const value = given ?? (type === 'json_valid' ? true : undefined)
  if (value === undefined) reject(`${path}.value is required`)
  const { isValid, expected } = rules[type]
  if (!isValid(value)) reject(`${path}.value must be ${expected}`)
  if (JSON.stringify(value).length > limits.assertionLength) {
    reject(`${path}.value must have at most ${limits.assertionLength} characters`)
  }
  if (type === 'json_schema') {
    const problem = await schemaProblem(value as object)
    if (problem !== undefined) reject(`${path}.value is no valid JSON schema: ${problem}`)
  }
  if (type !== 'min_score' || scorer == null) return { type, value }
  if (!(await hasScorer(scorer)))
    reject(`${path}.scorer must be a built-in scorer or a scorer of the project`)
  return { type, value, scorer }
}
