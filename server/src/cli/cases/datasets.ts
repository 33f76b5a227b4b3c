import { readRecords } from './csv.ts'
import { FormatError, isObject, messageOf, type ReadCases } from './read.ts'

/** Datasets of other tools: the fields of an item, and the fields of a file that contain its items. */
const forms = {
  langfuse: { query: ['input'], expected: ['expectedOutput', 'expected_output'], lists: ['data'] },
  phoenix: { query: ['input'], expected: ['output'], lists: ['examples', 'data'] },
  opik: { query: ['input'], expected: ['expected_output', 'output', 'reference'], lists: ['items'] },
  langsmith: { query: ['inputs'], expected: ['outputs'], lists: ['examples'] },
} as const

export type DatasetTool = keyof typeof forms
export const datasetTools = Object.keys(forms) as DatasetTool[]

type Item = Record<string, unknown>
interface Place {
  place: string
  value: unknown
}

/** Fields whose value is the text of an object with several fields. */
const questionNames = ['question', 'query', 'input', 'prompt', 'text', 'message']
const answerNames = [
  'answer',
  'output',
  'expected_output',
  'expected',
  'response',
  'text',
  'content',
  'result',
]

function lastMessage(value: unknown): unknown {
  const list = isObject(value) ? value.messages : value
  if (!Array.isArray(list)) return undefined
  const messages = list.filter(isObject).filter(({ content }) => content !== undefined)
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content
}

/** The text of a value: of the last message, of the only field, or of a known field; or else its JSON. */
function textOf(value: unknown, names: readonly string[]): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  const message = lastMessage(value)
  if (typeof message === 'string') return message
  if (isObject(value)) {
    const fields = Object.entries(value)
    if (fields.length === 0) return undefined
    const known = names.find((name) => typeof value[name] === 'string')
    const [[, only] = []] = fields
    if (known !== undefined) return value[known] as string
    if (fields.length === 1) return textOf(only, names)
  }
  return JSON.stringify(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fromLines(text: string): { items: Place[]; bad: ReadCases['bad'] } {
  const bad: ReadCases['bad'] = []
  const items = text.split('\n').flatMap((line, at) => {
    const place = `line ${at + 1}`
    if (line.trim() === '') return []
    try {
      return [{ place, value: JSON.parse(line) as unknown }]
    } catch (error) {
      bad.push({ place, error: `it is not valid JSON: ${messageOf(error)}` })
      return []
    }
  })
  return { items, bad }
}

/** Structures are JSON in a cell. */
function cellOf(cell: string): unknown {
  return /^\s*[[{"]/.test(cell) ? (parsed(cell) ?? cell) : cell
}

function fromCsv(text: string): Place[] {
  const { header, rows } = readRecords(text)
  return rows.map(({ line, cells }) => ({
    place: `line ${line}`,
    value: Object.fromEntries(header.map((name, at) => [name, cellOf(cells[at] ?? '')])),
  }))
}

/** The items of a file: JSON, JSON Lines or CSV. @throws FormatError */
function itemsOf(text: string, lists: readonly string[]): { items: Place[]; bad: ReadCases['bad'] } {
  const content = text.replace(/^\uFEFF/, '').trimStart()
  if (!/^[[{]/.test(content)) return { items: fromCsv(text), bad: [] }
  const whole = parsed(content)
  if (whole === undefined) return fromLines(text)
  const name = isObject(whole) ? lists.find((each) => Array.isArray(whole[each])) : undefined
  const list = name === undefined ? whole : (whole as Item)[name]
  const items = Array.isArray(list) ? list : [list]
  return { items: items.map((value, at) => ({ place: `item ${at + 1}`, value })), bad: [] }
}

/** Cases from a dataset of another tool. @throws FormatError */
export function readDataset(text: string, tool: DatasetTool): ReadCases {
  const { query: queryNames, expected: expectedNames, lists } = forms[tool]
  const { items, bad } = itemsOf(text, lists)
  if (items.length === 0 && bad.length === 0) throw new FormatError('it has no items')
  const result: ReadCases = { cases: [], bad, notes: [] }
  let [archived, withMetadata] = [0, 0]
  for (const { place, value } of items) {
    if (!isObject(value)) {
      bad.push({ place, error: 'it is not an object' })
      continue
    }
    if (value.status === 'ARCHIVED') {
      archived++
      continue
    }
    const given = queryNames.map((name) => value[name]).find((each) => each !== undefined)
    const query = textOf(given, questionNames)
    if (query === undefined) {
      bad.push({ place, error: `${queryNames[0]} is required; it has ${Object.keys(value).join(', ')}` })
      continue
    }
    const wanted = expectedNames.map((name) => value[name]).find((each) => each != null && each !== '')
    const metadata = isObject(value.metadata) ? value.metadata : {}
    const { category } = metadata
    if (Object.keys(metadata).some((name) => name !== 'category')) withMetadata++
    result.cases.push({
      place,
      value: {
        query,
        expected_answer: textOf(wanted, answerNames) ?? '',
        ...(typeof category === 'string' && category !== '' && { category }),
      },
    })
  }
  if (archived > 0) result.notes.push(`${archived} archived items`)
  if (withMetadata > 0) result.notes.push(`the metadata of ${withMetadata} items: a case has only a category`)
  return result
}
