import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const workspaces: Record<string, string> = {
  '@cairn/contract': 'contract/src/index.ts',
  '@cairn/contract/conversations': 'contract/src/conversations.ts',
  '@cairn/sdk': 'sdk/src/index.ts',
  '@cairn/server/app': 'server/src/app.ts',
}

/** The face that a domain shows to benchmarks. */
const benchFace = /^@cairn\/server\/bench\/([a-z]+)$/

function isTest(file: string): boolean {
  return /\.test(-[a-z]+)?\.tsx?$/.test(file) || file.startsWith('server/test/')
}

/** Source files that git knows or would take, without tests: those may import what they test with. */
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed
  .split('\n')
  .filter((file) => file !== '' && !isTest(file) && existsSync(join(root, file)))

/** The room a file belongs to; the table below says which rooms it may look into. */
function roomOf(file: string): string {
  const domain = /^server\/src\/domains\/([a-z]+)\/(.*)$/.exec(file)
  if (domain?.[2] === 'index.ts') return 'domain index'
  if (domain?.[2] === 'bench.ts') return 'domain bench'
  if (domain?.[2]?.startsWith('routes')) return 'domain routes'
  if (/(?:^|\/)store[-./]/.test(domain?.[2] ?? '')) return 'domain store'
  if (domain) return 'domain service'
  const server = /^server\/src\/(?:(\w+)\/|(\w+)\.ts$)/.exec(file)
  if (server) return server[1] ?? server[2] ?? ''
  return file.split('/')[0] ?? ''
}

function sameDomain(a: string, b: string): boolean {
  return dirname(a).split('/').slice(0, 4).join('/') === dirname(b).split('/').slice(0, 4).join('/')
}

/** The folder inside a domain that a file lies in, if it lies in one. */
function folderOf(file: string): string | undefined {
  return /^server\/src\/domains\/[a-z]+\/[a-z]+(?=\/)/.exec(file)?.[0]
}

/** A folder inside a domain is entered from outside only through its `index.ts`. */
function isThroughFace({ from, to }: Import): boolean {
  const folder = folderOf(to)
  return folder === undefined || folder === folderOf(from) || to === `${folder}/index.ts`
}

/** Rooms that a room may import, beside itself. Inside a domain, see `isAllowed`. */
const allowed: Record<string, string[]> = {
  contract: [],
  lib: [],
  db: ['lib', 'contract'],
  models: ['lib', 'contract'],
  // A queue is a table: jobs are written in the transactions of others, and claimed with SQL of its own.
  jobs: ['db', 'lib', 'contract'],
  http: ['lib', 'contract'],
  // Jobs are enqueued in the transaction of the change that they follow.
  'domain store': ['db', 'jobs', 'lib', 'contract', 'domain index'],
  'domain service': ['models', 'jobs', 'lib', 'contract', 'domain index'],
  'domain routes': ['http', 'contract'],
  'domain index': [],
  'domain bench': [],
  config: ['contract', 'lib'],
  version: ['lib'],
  app: ['config', 'db', 'http', 'lib', 'models', 'jobs', 'contract', 'domain index'],
  // Commands for test suites are clients of a server; they check cases as its routes do.
  cli: ['app', 'config', 'db', 'version', 'lib', 'http', 'contract', 'sdk', 'domain index'],
  main: ['cli', 'config'],
  web: ['sdk', 'contract'],
  sdk: ['contract'],
  e2e: ['sdk', 'scripts'],
  // What is measured in a browser is started as it is for the tests.
  bench: ['sdk', 'e2e', 'scripts', 'app', 'config', 'db', 'domain bench', 'http', 'contract'],
  docs: ['app', 'config', 'db', 'models', 'contract', 'sdk'],
  scripts: ['e2e', 'server', 'sdk'],
  server: ['main'],
}

function isAllowed(from: string, to: string): boolean {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)]
  if (fromRoom.startsWith('domain') && toRoom.startsWith('domain') && sameDomain(from, to)) {
    // Inside a domain the arrow points from routes to service to store, and only the index shows them.
    if (toRoom === 'domain index' || toRoom === 'domain bench') return false
    if (fromRoom === 'domain index' || fromRoom === 'domain bench') return true
    if (fromRoom === 'domain routes') return toRoom === 'domain service'
    return toRoom !== 'domain routes' && !(fromRoom === 'domain store' && to.endsWith('/service.ts'))
  }
  return fromRoom === toRoom || (allowed[fromRoom] ?? []).includes(toRoom)
}

interface Import {
  from: string
  to: string
  /** The names in braces. */
  names: readonly string[]
}

function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(from), specifier))
  const domain = benchFace.exec(specifier)?.[1]
  return domain ? `server/src/domains/${domain}/bench.ts` : workspaces[specifier]
}

const importForm =
  /\b(?:import|export)\s+(?:type\s+)?(?:([^'"();]*?)\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** `{ a, type B as C }` gives `a` and `B`. */
function namesIn(clause = ''): string[] {
  const list = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? []
  return list.map((name) => name.trim().replace(/^type\s+|\s+as\s.*$/g, '')).filter((name) => name !== '')
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  return [...text.matchAll(importForm)].flatMap(([, clause, fixed, dynamic]) => {
    const to = resolve(file, fixed ?? dynamic ?? '')
    return to ? [{ from: file, to, names: namesIn(clause) }] : []
  })
}

const imports = files.flatMap(importsOf)
const byImporter = Map.groupBy(imports, ({ from }) => from)

/** An import through the face of a folder points to the files behind the face: the table holds for those. */
function behindFaces({ from, to, names }: Import): Import[] {
  if (to !== `${folderOf(to)}/index.ts` || folderOf(from) === folderOf(to)) return [{ from, to, names }]
  return names.map((name) => {
    const source = byImporter.get(to)?.find((shown) => shown.names.includes(name))
    return { from, to: source?.to ?? to, names: [name] }
  })
}

/** Files on a cycle of imports, those of types included. */
function findCycle(): string[] | undefined {
  const finished = new Set<string>()
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (finished.has(file)) return undefined
    for (const { to } of byImporter.get(file) ?? []) {
      const cycle = visit(to, [...path, file])
      if (cycle) return cycle
    }
    finished.add(file)
    return undefined
  }
  for (const file of files) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Of a file of a service. */
const mostLines = 250

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
}

describe('the import graph', () => {
  it('was read: every file of ours is in it, and most of them import something', () => {
    expect(files.length).toBeGreaterThan(80)
    expect(files).toContain('server/src/app.ts')
    expect(new Set(imports.map(({ from }) => from)).size).toBeGreaterThan(files.length * 0.6)
    const unknown = imports.filter(({ to }) => /\.(ts|tsx|mjs)$/.test(to) && !files.includes(to))
    expect(unknown).toEqual([])
  })

  it('gives every file a room that the table knows', () => {
    expect(files.filter((file) => !(roomOf(file) in allowed) && !/^[\w.]+\.ts$/.test(file))).toEqual([])
  })

  it('points only where the table allows', () => {
    const wrong = imports
      .flatMap(behindFaces)
      .filter(({ from, to }) => files.includes(to) && !isAllowed(from, to))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('enters the folders of a domain only through their faces', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined))
    expect(folders.size).toBeGreaterThan(10)
    expect([...folders].filter((folder) => !files.includes(`${folder}/index.ts`))).toEqual([])
    const past = imports.filter((each) => !isThroughFace(each))
    expect(past.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('shows in a face only what the server uses, and in bench.ts what benchmarks use', () => {
    const faces = files.filter((file) => /^server\/src\/domains\/.*\/(?:index|bench)\.ts$/.test(file))
    expect(faces.length).toBeGreaterThan(30)
    const unused = faces.flatMap((face) => {
      const shown = new Set(byImporter.get(face)?.flatMap(({ names }) => names))
      for (const { from, to, names } of imports) {
        if (to === face && (roomOf(from) === 'bench') === face.endsWith('/bench.ts'))
          for (const name of names) shown.delete(name)
      }
      return [...shown].map((name) => `${face}: ${name}`)
    })
    expect(unused).toEqual([])
  })

  it('keeps the files of services at 250 lines or less', () => {
    const isService = (file: string) => roomOf(file) === 'domain service' && !file.endsWith('.data.ts')
    const services = files.filter(isService)
    expect(services.length).toBeGreaterThan(100)
    const long = services.filter((file) => linesOf(file) > mostLines)
    expect(long).toEqual([])
  })

  it('keeps state out of modules: app/ makes it and passes it in', () => {
    // Of lib, ids, words and turns of the event loop are remembered by thread; workers are threads of their own.
    const rooms = ['http', 'models', 'jobs', 'app']
    const checked = files.filter((file) => roomOf(file).startsWith('domain') || rooms.includes(roomOf(file)))
    const state = /^(?:export )?(?:let|var) |^(?:export )?const .*= new (?:WeakMap|WeakSet|Scratch)\b/m
    const found = checked.filter((file) => state.test(readFileSync(join(root, file), 'utf8')))
    // A constant that is made with the first use, since it is large.
    expect(found).toEqual(['server/src/domains/scorers/judges/toxicity.ts'])
  })

  it('would see a wrong arrow', () => {
    expect(isAllowed('server/src/lib/ids.ts', 'server/src/db/index.ts')).toBe(false)
    expect(isAllowed('server/src/domains/traces/service.ts', 'server/src/domains/scores/store.ts')).toBe(
      false,
    )
    expect(isAllowed('server/src/domains/traces/store.ts', 'server/src/domains/traces/routes.ts')).toBe(false)
    expect(isAllowed('server/src/domains/traces/store.ts', 'server/src/domains/traces/service.ts')).toBe(
      false,
    )
    expect(isAllowed('server/src/domains/traces/routes.ts', 'server/src/domains/traces/store.ts')).toBe(false)
    expect(isAllowed('server/src/domains/traces/service.ts', 'server/src/http/errors.ts')).toBe(false)
    expect(isAllowed('web/src/main.tsx', 'server/src/app.ts')).toBe(false)
    expect(isAllowed('server/src/app.ts', 'server/src/domains/traces/bench.ts')).toBe(false)
    expect(isAllowed('bench/src/judges.ts', 'server/src/domains/traces/index.ts')).toBe(false)
    const [from, folder] = ['server/src/domains/retrieval/service.ts', 'server/src/domains/retrieval/search']
    expect(isThroughFace({ from, to: `${folder}/rows.ts`, names: [] })).toBe(false)
    expect(isThroughFace({ from, to: `${folder}/index.ts`, names: [] })).toBe(true)
    expect(isThroughFace({ from: `${folder}/postings.ts`, to: `${folder}/rows.ts`, names: [] })).toBe(true)
  })

  it('keeps Fastify out of services and SQL out of everything but stores, migrations and db', () => {
    const services = files.filter((file) => roomOf(file) === 'domain service')
    expect(services.length).toBeGreaterThan(8)
    const offending = services.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const fastify = /from '(?:fastify|@fastify\/[a-z]+)'/.test(text)
      return fastify || /from 'kysely'|\bselectFrom\(|\binsertInto\(/.test(text)
    })
    expect(offending).toEqual([])
  })

  it('leaves driver errors to stores: services and routes are told outcomes', () => {
    const readers = imports.filter(({ to }) => to === 'server/src/lib/database-error.ts')
    const rooms = new Set(readers.map(({ from }) => roomOf(from)))
    expect([...rooms].sort()).toEqual(['db', 'http', 'lib'])
    // The last resort, for a row that went away while a request was about it.
    expect(readers.filter(({ from }) => roomOf(from) === 'http').map(({ from }) => from)).toEqual([
      'server/src/http/errors.ts',
    ])
    const reading = files.filter((file) => {
      if (!file.startsWith('server/src/') || /^server\/src\/(?:db|lib)\//.test(file)) return false
      const text = readFileSync(join(root, file), 'utf8')
      return /\bsqlState\b|\bDatabaseError\b|['"]23\d{3}['"]|SQLITE_CONSTRAINT/.test(text)
    })
    expect(reading).toEqual([])
  })

  it('aborts transactions by one helper of db/, and finds nothing by LIKE on JSON', () => {
    const stores = files.filter((file) => roomOf(file) === 'domain store')
    expect(stores.length).toBeGreaterThan(40)
    const texts = stores.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    const withoutElse = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/\bcase when\b(?:(?!\bend\b)[\s\S])*\bend\b/g)]
        .filter(([clause]) => !/\belse\b/.test(clause))
        .map(([clause]) => `${file}: ${clause}`),
    )
    expect(withoutElse).toEqual([])
    const alike = texts.filter(({ text }) => /'like'|\blike '/.test(text)).map(({ file }) => file)
    // Which webhooks want an event: a type in a list, no identity.
    expect(alike).toEqual(['server/src/domains/events/store.ts'])
  })

  it('has no cycle', () => {
    expect(findCycle()).toBeUndefined()
  })

  it('lets the contract depend on typebox alone', () => {
    const text = files
      .filter((file) => file.startsWith('contract/'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
    const packages = text.flatMap((source) =>
      [...source.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name),
    )
    expect([...new Set(packages)]).toEqual(['typebox'])
  })
})
