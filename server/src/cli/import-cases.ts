import { readFile } from 'node:fs/promises'
import { CairnError, CreateCase } from '@cairn/contract'
import { CairnApiError } from '@cairn/sdk'
import type { Config } from '../config.ts'
import { checkAssertions, schemaProblem } from '../domains/testing/index.ts'
import { compileCheck } from '../http/validation.ts'
import { readCsv } from './cases/csv.ts'
import { datasetTools, readDataset } from './cases/datasets.ts'
import { extensionOf } from './cases/folder.ts'
import { readJsonl } from './cases/jsonl.ts'
import { readPromptfoo } from './cases/promptfoo.ts'
import { type CheckedCase, FormatError, type ReadCases } from './cases/read.ts'
import { bar, count, createProgress, plural, stopOnSignal } from './progress.ts'
import { calling, connect, type Remote, remoteOptions } from './remote.ts'
import { findSuite, lookForSuite } from './suites.ts'
import { oneLine, say } from './tables.ts'
import { parseCommand, UsageError } from './usage.ts'

const formats = ['csv', 'jsonl', 'promptfoo', ...datasetTools] as const
type Format = (typeof formats)[number]

const formatOfExtension: Record<string, Format> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.yaml': 'promptfoo',
  '.yml': 'promptfoo',
  '.json': 'promptfoo',
}

function parse(args: string[]) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean', default: false }] as const
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: { ...remoteOptions, format: text, query: text, create: flag, 'dry-run': flag, 'skip-bad': flag },
  })
  const [suite, file, ...others] = positionals
  if (!suite || !file || others.length > 0) throw new UsageError('name one suite and one file')
  const named = values.format ?? formatOfExtension[extensionOf(file)]
  const format = formats.find((each) => each === named)
  if (!format) throw new UsageError(`--format must be ${formats.join(', ')}`)
  if (values.query !== undefined && format !== 'promptfoo') {
    throw new UsageError('--query is for promptfoo configs')
  }
  return { ...values, suite, file, format }
}

type Arguments = ReturnType<typeof parse>

async function read({ file, format, query }: Arguments): Promise<ReadCases> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new UsageError(code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${code})`)
  }
  try {
    if (format === 'csv') return readCsv(text)
    if (format === 'jsonl') return readJsonl(text)
    return format === 'promptfoo' ? readPromptfoo(file, text, query) : readDataset(text, format)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new UsageError(`${file}: ${error.message}`)
  }
}

const checkShape = compileCheck<CreateCase>(CreateCase, 'the case')

/** Checks a case like the server, before anything is sent. */
async function check(value: unknown, slugs: ReadonlySet<string>): Promise<CreateCase> {
  const checked = checkShape(value)
  for (const field of ['query', 'expected_answer'] as const) {
    if (checked[field] == null && checked.trace_id == null) {
      throw new CairnError('invalid_request', `${field} is required`)
    }
  }
  await checkAssertions(checked.assertions ?? [], {
    hasScorer: async (slug) => slugs.has(slug),
    schemaProblem: async (schema) => schemaProblem(schema as Record<string, unknown>),
  })
  return checked
}

/** The valid cases; invalid cases are added to `found.bad`. */
async function checkAll(remote: Remote, found: ReadCases): Promise<CheckedCase[]> {
  const scorers = await remote.client.scorers.list(remote.projectId)
  const slugs = new Set(scorers.map(({ slug }) => slug))
  const good: CheckedCase[] = []
  for (const { place, value } of found.cases) {
    try {
      good.push({ place, value: await check(value, slugs) })
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      found.bad.push({ place, error: error.message })
    }
  }
  return good
}

async function suiteIdOf(remote: Remote, { suite: named, create }: Arguments): Promise<string> {
  if (!create) return (await findSuite(remote, named)).suite_id
  const { suite } = await lookForSuite(remote, named)
  if (suite) return suite.suite_id
  const made = await remote.client.testing.suites.create(remote.projectId, { name: named })
  say(`made the suite ${oneLine(made.name)} (${made.suite_id})`)
  return made.suite_id
}

interface Sent {
  made: string[]
  bad: { place: string; error: string }[]
  isStopped: boolean
}

/** Sends the cases in order, because a suite keeps their order. Stops at the first bad case unless `skipBad` is set. */
async function send(remote: Remote, suiteId: string, cases: CheckedCase[], skipBad: boolean): Promise<Sent> {
  const progress = createProgress()
  const signal = stopOnSignal()
  const sent: Sent = { made: [], bad: [], isStopped: false }
  try {
    for (const { place, value } of cases) {
      if (signal.aborted) return { ...sent, isStopped: true }
      try {
        const { case_id } = await remote.client.testing.cases.create(remote.projectId, suiteId, value)
        sent.made.push(case_id)
      } catch (error) {
        // Only the server can find these errors: a missing trace, or a full suite.
        if (!(error instanceof CairnApiError) || ![400, 404].includes(error.status)) throw error
        sent.bad.push({ place, error: error.message })
        if (!skipBad) return sent
      }
      const share = sent.made.length / cases.length
      progress.show(() => `${bar(share)} ${count(sent.made.length)} of ${plural(cases.length, 'case')}`)
    }
    return sent
  } finally {
    progress.end()
  }
}

async function takeBack(remote: Remote, suiteId: string, caseIds: readonly string[]): Promise<void> {
  for (const caseId of caseIds) await remote.client.testing.cases.delete(remote.projectId, suiteId, caseId)
}

function sayBad(bad: readonly { place: string; error: string }[]): void {
  for (const { place, error } of bad) process.stderr.write(`${place}: ${oneLine(error, 300)}\n`)
}

function sayNotes(notes: readonly string[]): void {
  if (notes.length === 0) return
  say(`left out (${count(notes.length)}):`)
  for (const note of notes) say(`  ${oneLine(note, 300)}`)
}

/** Shows the cases that an import would create. */
function preview(cases: readonly CheckedCase[]): void {
  for (const { place, value } of cases) {
    say(`${place}: ${oneLine(value.query ?? `from the trace ${value.trace_id}`)}`)
    if (value.expected_answer) say(`  expected: ${oneLine(value.expected_answer)}`)
    for (const { type, value: wanted, scorer } of value.assertions ?? []) {
      say(`  ${type}${scorer ? ` ${scorer}` : ''}: ${oneLine(JSON.stringify(wanted) ?? '')}`)
    }
  }
}

async function carryOut(remote: Remote, args: Arguments): Promise<number> {
  const found = await read(args)
  const cases = await checkAll(remote, found)
  const { bad, notes } = found
  sayBad(bad)
  if (args['dry-run']) {
    if (!args.create) await findSuite(remote, args.suite)
    preview(cases)
    say(`would import ${plural(cases.length, 'case')}, ${count(bad.length)} bad`)
    sayNotes(notes)
    return bad.length > 0 ? 1 : 0
  }
  if (bad.length > 0 && !args['skip-bad']) {
    say(`nothing was imported: ${count(bad.length)} bad; --skip-bad leaves them out`)
    sayNotes(notes)
    return 1
  }
  const suiteId = await suiteIdOf(remote, args)
  const sent = await send(remote, suiteId, cases, args['skip-bad'])
  sayBad(sent.bad)
  if (sent.bad.length > 0 && !args['skip-bad']) {
    await takeBack(remote, suiteId, sent.made)
    say('nothing was imported: cases imported so far were deleted again; --skip-bad leaves bad cases out')
    return 1
  }
  const skipped = bad.length + sent.bad.length
  say(`imported ${plural(sent.made.length, 'case')}${skipped > 0 ? `, left out ${count(skipped)} bad` : ''}`)
  sayNotes(notes)
  if (sent.isStopped) say('stopped; imported cases stay')
  return sent.isStopped ? 130 : skipped > 0 ? 1 : 0
}

/** Imports test cases from a file into a suite of a server. */
export async function importCases(_config: Config, args: string[]): Promise<number> {
  const parsed = parse(args)
  const remote = connect(parsed)
  return calling(remote, () => carryOut(remote, parsed))
}
