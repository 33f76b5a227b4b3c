import type { RunComparison, SuiteSummary, VersionComparison } from '@cairn/sdk'
import type { Config } from '../config.ts'
import { count } from './progress.ts'
import { calling, connect, type Remote, remoteOptions } from './remote.ts'
import { findSuite, findVersion } from './suites.ts'
import { change, columns, dollars, milliseconds, oneLine, percent, say } from './tables.ts'
import { parseCommand, UsageError } from './usage.ts'

/** Maximum number of changed cases of a suite in the terminal, for each kind of change. */
const shown = 20

type Suites = NonNullable<VersionComparison['suites']>
type SuiteRun = NonNullable<Suites[number]['a']>

function parse(args: string[]) {
  const { positionals, values } = parseCommand({
    args,
    allowPositionals: true,
    options: { ...remoteOptions, suite: { type: 'string' } },
  })
  const [a, b, ...others] = positionals
  if (!a || !b || others.length > 0) throw new UsageError('name two versions, by their names or ids')
  return { ...values, a, b }
}

function versionLines({ version_a: a, version_b: b, diff }: VersionComparison): string[] {
  return columns([
    ['', oneLine(a.version, 40), oneLine(b.version, 40), 'change'],
    ['traces', count(a.total_traces), count(b.total_traces)],
    [
      'latency',
      milliseconds(a.avg_latency_ms),
      milliseconds(b.avg_latency_ms),
      change(diff.latency_change_pct),
    ],
    ['cost', dollars(a.avg_cost), dollars(b.avg_cost), change(diff.cost_change_pct)],
    ['error rate', percent(a.error_rate), percent(b.error_rate), change(diff.error_rate_change_pct)],
  ])
}

function runCells(run: SuiteRun | null): string[] {
  if (run === null) return ['no completed run', '', '', '']
  const rate = `${percent(run.pass_rate)} (${count(run.passed)} of ${count(run.total)})`
  return [rate, milliseconds(run.avg_latency_ms), dollars(run.total_cost), run.run_id]
}

function runRows(a: SuiteRun | null, b: SuiteRun | null, heads: [string, string]): string[][] {
  const [ofA, ofB] = [runCells(a), runCells(b)]
  const rows = ['pass rate', 'latency', 'total cost', 'run'].map((name, at) => [
    name,
    ofA[at] ?? '',
    ofB[at] ?? '',
  ])
  return [['', ...heads], ...rows]
}

function caseLines({ cases }: RunComparison): string[] {
  return (['improved', 'regressed', 'only_in_a', 'only_in_b'] as const).flatMap((kind) => {
    const found = cases.filter(({ change }) => change === kind)
    if (found.length === 0 && kind.startsWith('only')) return []
    const lines = found.slice(0, shown).map(({ query, case_id }) => `    ${oneLine(query)} (${case_id})`)
    if (found.length > shown) lines.push(`    and ${count(found.length - shown)} more`)
    return [`  ${kind.replaceAll('_', ' ')}: ${count(found.length)}`, ...lines]
  })
}

async function suiteLines(remote: Remote, suite: Suites[number], versions: [string, string]) {
  const { name, suite_id, a, b } = suite
  const lines = ['', `suite ${oneLine(name)} (${suite_id})`, ...columns(runRows(a, b, versions), '  ')]
  const missing = [a === null ? versions[0] : [], b === null ? versions[1] : []].flat()
  lines.push(...missing.map((version) => `  to get one: cairn test ${suite_id} --version ${version}`))
  if (a === null || b === null) return lines
  const compared = await remote.client.testing.runs.compare(remote.projectId, a.run_id, b.run_id)
  return [...lines, ...caseLines(compared)]
}

function chosen(suites: Suites, suite: SuiteSummary | undefined): Suites {
  if (!suite) return suites
  const { suite_id, name } = suite
  const found = suites.find((each) => each.suite_id === suite_id)
  return [found ?? { suite_id, name, a: null, b: null }]
}

async function carryOut(remote: Remote, args: ReturnType<typeof parse>): Promise<number> {
  const suite = args.suite === undefined ? undefined : await findSuite(remote, args.suite)
  const a = await findVersion(remote, args.a)
  const b = await findVersion(remote, args.b)
  const query = { a: a.version_id, b: b.version_id }
  const comparison = await remote.client.versions.compare(remote.projectId, query)
  for (const line of versionLines(comparison)) say(line)
  for (const each of chosen(comparison.suites ?? [], suite)) {
    for (const line of await suiteLines(remote, each, [a.version, b.version])) say(line)
  }
  return 0
}

/** Shows two versions side by side, and how the results of each suite's cases changed. */
export async function compare(_config: Config, args: string[]): Promise<number> {
  const parsed = parse(args)
  const remote = connect(parsed)
  return calling(remote, () => carryOut(remote, parsed))
}
