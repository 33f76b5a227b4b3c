import { readRecords } from './csv.ts'
import { extensionOf, type Folder } from './folder.ts'
import { readJsonl } from './jsonl.ts'
import { FormatError, isObject, messageOf, type ReadCases } from './read.ts'

/** Prefixes of a CSV cell that name a type; any other text must equal the output. */
const typeForm = /^((?:not-)?[a-z][a-z-]*(?::(?:cosine|dot|euclidean))?)(?:\(([\d.]+)\))?(?::\s*([\s\S]*))?$/
const namedTypes = new Set(
  `equals contains icontains contains-all contains-any icontains-all icontains-any contains-json contains-html
  contains-sql contains-xml is-json is-html is-sql is-xml is-valid-function-call is-valid-openai-function-call
  is-valid-openai-tools-call regex starts-with javascript fn eval python ruby file llm-rubric grade factuality
  model-graded-closedqa model-graded-factuality answer-relevance context-recall context-relevance
  context-faithfulness similar similar:cosine similar:dot similar:euclidean latency cost levenshtein rouge-n bleu
  gleu meteor perplexity perplexity-score classifier moderation webhook g-eval pi select-best max-score is-refusal
  guardrails finish-reason word-count search-rubric`.split(/\s+/),
)

/** Parses `contains: Paris`, `similar(0.8): Hello`, or a text that must equal the output. */
export function assertionOfCell(cell: string): Record<string, unknown> {
  const [, type = '', threshold, value] = typeForm.exec(cell.trim()) ?? []
  if (!namedTypes.has(type.replace(/^not-/, ''))) return { type: 'equals', value: cell }
  // A bare type name is ordinary text, unless the type needs no value.
  if (value === undefined && threshold === undefined && !/^(not-)?is-/.test(type)) {
    return { type: 'equals', value: cell }
  }
  return {
    type,
    ...(value !== undefined && value !== '' && { value }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  }
}

function testOfRow(header: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const [vars, metadata, options, others]: Record<string, unknown>[] = [{}, {}, {}, {}]
  const assert: object[] = []
  for (const [at, name] of header.entries()) {
    const cell = cells[at] ?? ''
    if (!name.startsWith('__')) Object.assign(vars ?? {}, { [name]: cell })
    else if (cell.trim() === '') continue
    else if (/^__expected\d*$/.test(name)) assert.push(assertionOfCell(cell))
    else if (name.startsWith('__metadata:')) Object.assign(metadata ?? {}, { [name.slice(11)]: cell })
    else if (name === '__prefix' || name === '__suffix')
      Object.assign(options ?? {}, { [name.slice(2)]: cell })
    else Object.assign(others ?? {}, { [name.replace(/^__(description|threshold)$/, '$1')]: cell })
  }
  return { ...others, vars, assert, metadata, options }
}

function fromCsv(text: string): ReadCases {
  const { header, rows } = readRecords(text)
  const cases = rows.map(({ line, cells }) => ({ place: `line ${line}`, value: testOfRow(header, cells) }))
  return { cases, bad: [], notes: [] }
}

function fromYaml(value: unknown, file: string): ReadCases {
  const list = isObject(value) && Array.isArray(value.tests) ? value.tests : value
  if (!Array.isArray(list)) throw new FormatError(`${file} is not a list of tests`)
  return {
    cases: list.map((test, at) => ({ place: `test ${at + 1}`, value: test as unknown })),
    bad: [],
    notes: [],
  }
}

function readFile(file: string, folder: Folder): ReadCases {
  const extension = extensionOf(file)
  if (/^(https?|huggingface|sharepoint|s3|gs|az):\/\//.test(file))
    throw new FormatError('nothing is downloaded')
  if (/[*?[\]{}]/.test(file)) throw new FormatError('file patterns are not supported: name each file')
  if (extension === '.csv') return fromCsv(folder.text(file))
  if (extension === '.jsonl') return readJsonl(folder.text(file))
  if (['.yaml', '.yml', '.json'].includes(extension)) return fromYaml(folder.value(file), file)
  throw new FormatError('only CSV, YAML, JSON and JSON Lines files are read; code is not executed')
}

function fromFile(file: string, folder: Folder): ReadCases {
  const named = file.replace(/^file:\/\//, '')
  try {
    const { cases, bad } = readFile(file, folder)
    const inFile = <T extends { place: string }>(each: T): T => ({ ...each, place: `${named} ${each.place}` })
    return { cases: cases.map(inFile), bad: bad.map(inFile), notes: [] }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { cases: [], bad: [{ place: `tests ${named}`, error: messageOf(error) }], notes: [] }
  }
}

/** The tests of a config, including tests in files next to it. */
export function readTests(tests: unknown, folder: Folder): ReadCases {
  const result: ReadCases = { cases: [], bad: [], notes: [] }
  for (const [at, test] of (Array.isArray(tests) ? tests : [tests]).entries()) {
    if (typeof test === 'string') {
      const { cases, bad } = fromFile(test, folder)
      result.cases.push(...cases)
      result.bad.push(...bad)
    } else if (isObject(test) && typeof test.path === 'string' && test.vars === undefined) {
      result.bad.push({
        place: `tests ${test.path}`,
        error: 'generated tests are not supported: code is not executed',
      })
    } else if (isObject(test)) result.cases.push({ place: `test ${at + 1}`, value: test })
    else result.bad.push({ place: `test ${at + 1}`, error: 'it is not an object' })
  }
  return result
}
