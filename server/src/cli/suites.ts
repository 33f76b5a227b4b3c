import type { SuiteSummary, VersionSummary } from '@cairn/sdk'
import type { Remote } from './remote.ts'
import { oneLine } from './tables.ts'
import { RemoteError } from './usage.ts'

const shown = 20

async function allSuites({ client, projectId }: Remote): Promise<SuiteSummary[]> {
  const suites: SuiteSummary[] = []
  let cursor: string | undefined
  do {
    const page = await client.testing.suites.page(projectId, cursor === undefined ? {} : { cursor })
    suites.push(...page.suites)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return suites
}

function listed(suites: readonly SuiteSummary[]): string {
  const lines = suites.slice(0, shown).map(({ suite_id, name }) => `  ${suite_id}  ${oneLine(name)}`)
  if (suites.length > shown) lines.push(`  and ${suites.length - shown} more`)
  return lines.join('\n')
}

/** The suite with this id, or the only suite with this name; undefined if there is none. */
export async function lookForSuite(
  remote: Remote,
  named: string,
): Promise<{ suite: SuiteSummary | undefined; all: SuiteSummary[] }> {
  const all = await allSuites(remote)
  const byId = all.find(({ suite_id }) => suite_id === named)
  const found = byId ? [byId] : all.filter(({ name }) => name === named.trim())
  if (found.length > 1) {
    throw new RemoteError(
      `${found.length} suites have the name ${oneLine(named)}: name one by its id\n${listed(found)}`,
    )
  }
  return { suite: found[0], all }
}

export async function findSuite(remote: Remote, named: string): Promise<SuiteSummary> {
  const { suite, all } = await lookForSuite(remote, named)
  if (suite) return suite
  const others =
    all.length > 0
      ? `its suites are\n${listed(all)}`
      : 'it has no suites; cairn import-cases --create makes one'
  throw new RemoteError(`the project has no suite ${oneLine(named)}: ${others}`)
}

/** Finds a version by its version_id or by its name, such as 1.2.0. */
export async function findVersion({ client, projectId }: Remote, named: string): Promise<VersionSummary> {
  const versions: VersionSummary[] = []
  for await (const each of client.versions.each(projectId)) {
    if (each.version_id === named || each.version === named) return each
    versions.push(each)
  }
  const names = versions.slice(0, shown).map(({ version }) => version)
  const others = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none; publish one first'
  throw new RemoteError(`the project has no version ${oneLine(named)}: ${others}`)
}
