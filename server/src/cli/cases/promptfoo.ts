import type { CreateCase } from '@cairn/contract'
import { Folder, parseYaml } from './folder.ts'
import { mapAssertions } from './promptfoo-assert.ts'
import { firstPrompt } from './promptfoo-prompts.ts'
import { readTests } from './promptfoo-tests.ts'
import { FormatError, isObject, messageOf, type ReadCase, type ReadCases } from './read.ts'
import { render, type Variables } from './template.ts'

const mostCombinations = 1000
const expectedNames = ['expected_answer', 'expectedAnswer', 'expected', 'reference_answer', 'answer']
const handled = new Set(['prompts', 'providers', 'targets', 'tests', 'defaultTest', 'description', '$schema'])
const handledInTest = new Set(['vars', 'assert', 'metadata', 'options', 'description'])
const handledOptions = new Set(['prefix', 'suffix', 'disableVarExpansion', 'disableDefaultAsserts'])

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Settings of a config that apply to all of its tests. */
interface Suite {
  folder: Folder
  template: string
  defaults: Fields
}

function merged(test: Fields, defaults: Fields): Fields {
  const options = { ...fieldsOf(defaults.options), ...fieldsOf(test.options) }
  const assert = options.disableDefaultAsserts === true ? [] : listOf(defaults.assert)
  return {
    ...defaults,
    ...test,
    options,
    metadata: { ...fieldsOf(defaults.metadata), ...fieldsOf(test.metadata) },
    assert: [...assert, ...listOf(test.assert)],
  }
}

function valueOfVariable(value: unknown, folder: Folder): unknown {
  if (typeof value !== 'string' || !value.startsWith('file://')) return value
  if (!/\.(txt|md)$/i.test(value))
    throw new FormatError(`${value}: only .txt and .md files are read as variables`)
  return folder.text(value)
}

function variablesOf(given: unknown, folder: Folder): Variables {
  const vars = typeof given === 'string' ? folder.value(given) : given
  const entries = Object.entries(fieldsOf(vars))
  return Object.fromEntries(entries.map(([name, value]) => [name, valueOfVariable(value, folder)]))
}

/** A variable with a list of values means one test for each value. */
function combinations(variables: Variables): Variables[] {
  let all: Variables[] = [{}]
  for (const [name, value] of Object.entries(variables)) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    all = all.flatMap((each) => values.map((one) => ({ ...each, [name]: one })))
    if (all.length > mostCombinations) {
      throw new FormatError(`its vars stand for more than ${mostCombinations} combinations`)
    }
  }
  return all
}

function others(given: Fields, known: ReadonlySet<string>): string[] {
  return Object.keys(given).filter((name) => !known.has(name))
}

/** Fields of a test that a case cannot express. */
function leftOf(test: Fields): string[] {
  const fields = others(test, handledInTest)
  const options = others(fieldsOf(test.options), handledOptions).map((name) => `options.${name}`)
  return [...fields, ...options].map((name) => `${name} is left out`)
}

function expectedOf(references: readonly string[], variables: Variables): string | undefined {
  if (references[0] !== undefined) return references[0]
  const named = expectedNames.map((name) => variables[name]).find((value) => typeof value === 'string')
  return named as string | undefined
}

/** The case of a test, and the parts of the test that were left out. @throws Error with the reason if there is no case */
function caseOf(test: Fields, variables: Variables, { folder, template }: Suite) {
  const { prefix = '', suffix = '' } = fieldsOf(test.options)
  const { text, missing } = render(`${prefix}${template}${suffix}`, variables)
  const given = listOf(test.assert)
  const { assertions, references, left } = mapAssertions(given, variables, folder)
  const expected = expectedOf(references, variables)
  if (assertions.length === 0 && given.length > 0) {
    throw new FormatError(`none of its assertions can be converted: ${left.join('; ')}`)
  }
  if (assertions.length === 0 && expected === undefined) {
    throw new FormatError('it has neither an assertion nor an expected answer, so nothing could be tested')
  }
  const { category } = fieldsOf(test.metadata)
  const value: CreateCase = {
    query: text,
    expected_answer: expected ?? '',
    ...(typeof category === 'string' && category !== '' && { category }),
    ...(assertions.length > 0 && { assertions }),
  }
  const empty = missing.map((name) => `{{${name}}} has no value and is left empty`)
  return { value, left: [...empty, ...left] }
}

function addTest({ place, value }: ReadCase, suite: Suite, result: ReadCases): void {
  const { folder, defaults } = suite
  const test = merged(fieldsOf(value), defaults)
  const variables = { ...variablesOf(defaults.vars, folder), ...variablesOf(fieldsOf(value).vars, folder) }
  const isWhole = fieldsOf(test.options).disableVarExpansion === true
  const all = isWhole ? [variables] : combinations(variables)
  result.notes.push(...leftOf(test).map((note) => `${place}: ${note}`))
  for (const [at, each] of all.entries()) {
    const where = all.length > 1 ? `${place} (${at + 1} of ${all.length})` : place
    try {
      const found = caseOf(test, each, suite)
      result.cases.push({ place: where, value: found.value })
      result.notes.push(...found.left.map((note) => `${where}: ${note}`))
    } catch (error) {
      result.bad.push({ place: where, error: messageOf(error) })
    }
  }
}

function notesOf(config: Fields): string[] {
  const providers = [config.providers ?? config.targets ?? []].flat()
  const notes = others(config, handled).map((name) => `${name} is left out`)
  if (providers.length > 0) {
    notes.unshift(`providers are left out (${providers.length}): the suite's target answers`)
  }
  return notes
}

/**
 * Converts the tests of a promptfoo config to cases. The query is the first prompt with its variables filled in, or
 * the template `query` if it is given.
 *
 * @throws FormatError
 */
export function readPromptfoo(file: string, text: string, query?: string): ReadCases {
  const config = parseYaml(text, file)
  if (!isObject(config)) throw new FormatError('it is not a promptfoo config: expected an object with tests')
  if (config.tests === undefined) throw new FormatError('it is not a promptfoo config: it has no tests')
  const folder = new Folder(file)
  const prompt = query === undefined ? firstPrompt(config.prompts, folder) : { template: query, notes: [] }
  const defaults =
    typeof config.defaultTest === 'string' ? folder.value(config.defaultTest) : config.defaultTest
  const suite = { folder, template: prompt.template, defaults: fieldsOf(defaults) }
  const tests = readTests(config.tests, folder)
  const notes = [...notesOf(config), ...prompt.notes]
  const described = tests.cases.filter(({ value }) => fieldsOf(value).description !== undefined).length
  if (described > 0) notes.push(`descriptions are left out (${described})`)
  const result: ReadCases = { cases: [], bad: [...tests.bad], notes }
  for (const test of tests.cases) {
    try {
      addTest(test, suite, result)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      result.bad.push({ place: test.place, error: error.message })
    }
  }
  return result
}
