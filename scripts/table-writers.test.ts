import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const migrations = join(root, 'server/migrations')

interface Statement {
  file: string
  table: string
}

/** All sources except `db/`, which runs statements of other folders and writes only its table of migrations. */
function sources(): { file: string; text: string }[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server/src/**/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .filter((file) => !/\.test(-[a-z]+)?\.ts$/.test(file) && !file.startsWith('server/src/db/'))
    .map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), 'utf8')) }))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

/** Calls of Kysely, SQL in templates, and rows for `Db.insertAll` and helpers of db/. */
const forms = [
  /\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*'(\w+)'/g,
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|delete\s+from|update(?=\s+\w+\s+set\b))\s+(\w+)/gi,
  /\btable(?:\s*=|:)\s*'(\w+)'/g,
]

function statementsOf({ file, text }: { file: string; text: string }): Statement[] {
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, table = '']) => ({ file, table })))
}

/** The number of writing statements in a text, counted by their keywords, independent of the form of their table. */
function beginnings(text: string): number {
  const words = text.match(/\w+/g) ?? []
  const calls = words.filter((word) =>
    /^(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)$/.test(word),
  )
  const raw = words.filter((word, at) => {
    const [first, second, third] = [word, words[at + 1], words[at + 2]].map((each) => each?.toLowerCase())
    if (second === 'into') return ['insert', 'replace', 'merge', 'ignore'].includes(first ?? '')
    return (
      (first === 'delete' && second === 'from') || (first === 'update' && second !== 'set' && third === 'set')
    )
  })
  // Counts rows only in files that use `db`. `{ table, … }` is counted at the assignment of the variable.
  const rows = /\bdb\b/.test(text) ? (text.match(/\btable\s*(?::(?!\s*keyof\b)|=)/g) ?? []) : []
  return calls.length + raw.length + rows.length
}

function ownerOf(file: string): string {
  const domain = /^server\/src\/domains\/([a-z]+)\/(?:store|.*\/store)[^/]*(?:\/.*)?\.ts$/.exec(file)?.[1]
  if (domain) return domain
  return file.startsWith('server/src/jobs/') ? 'jobs' : file
}

/** The names of the tables after all migrations. */
function tablesOfMigrations(): string[] {
  const tables = new Set<string>()
  for (const name of readdirSync(migrations).sort()) {
    const text = readFileSync(join(migrations, name), 'utf8').replace(/^\s*--.*$/gm, '')
    for (const [, made, dropped, from, to] of text.matchAll(
      /create table (\w+)|drop table (\w+)|alter table (\w+) rename to (\w+)/g,
    )) {
      if (made ?? to) tables.add(made ?? to ?? '')
      tables.delete(dropped ?? from ?? '')
    }
  }
  return [...tables].sort()
}

function writersOf(statements: readonly Statement[]): Map<string, string[]> {
  const byTable = Map.groupBy(statements, ({ table }) => table)
  return new Map(
    [...byTable].map(([table, each]) => [table, [...new Set(each.map(({ file }) => ownerOf(file)))].sort()]),
  )
}

describe('the tables', () => {
  const texts = sources()
  const statements = texts.flatMap(statementsOf)
  const writers = writersOf(statements)

  it('are found in every writing statement: as many as the keywords of writing statements', () => {
    const unread = texts
      .map(({ file, text }) => ({ file, begin: beginnings(text), read: statementsOf({ file, text }).length }))
      .filter(({ begin, read }) => begin !== read)
    expect(unread).toEqual([])
    expect(statements.length).toBeGreaterThan(150)
  })

  it('are the tables of the migrations, and at least one domain writes each', () => {
    expect([...writers.keys()].sort()).toEqual(tablesOfMigrations())
  })

  it('have one writing domain each, in its stores', () => {
    const several = [...writers].filter(([, owners]) => owners.length > 1)
    expect(several).toEqual([])
    const elsewhere = statements.filter(({ file }) => ownerOf(file) === file)
    expect(elsewhere).toEqual([])
  })

  it.each([
    ["trx.insertInto('chats').values(row)", 'chats'],
    ["trx\n  .updateTable(\n    'chats',\n  )", 'chats'],
    ["db.deleteFrom('jobs')", 'jobs'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of code
    ['sql`insert into scores (a) values (${a})`', 'scores'],
    ['sql`update scores set value = 1`', 'scores'],
    ['sql`DELETE FROM scores`', 'scores'],
    ["db.insertAll([{ table: 'events', columns, rows }])", 'events'],
    ["db; const table = 'events'", 'events'],
  ])('would be found in %s', (text, table) => {
    expect(statementsOf({ file: 'planted', text })).toEqual([{ file: 'planted', table }])
    expect(beginnings(text)).toBe(1)
  })

  it('would fail the count if the table of a statement cannot be read', () => {
    for (const text of [
      'trx.deleteFrom(table)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of code
      'sql`delete from ${sql.table(name)}`',
      'db.insertAll([{ table: name }])',
    ]) {
      expect(statementsOf({ file: 'planted', text })).toEqual([])
      expect(beginnings(text)).toBe(1)
    }
  })
})
