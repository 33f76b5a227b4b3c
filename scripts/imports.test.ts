import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const workspaces: Record<string, string> = {
  '@cairn/contract': 'contract/src/index.ts',
  '@cairn/contract/conversations': 'contract/src/conversations/index.ts',
  '@cairn/sdk': 'sdk/src/index.ts',
  '@cairn/server/app': 'server/src/app.ts',
}

/** The package export of a `bench.ts`: names of a domain that only benchmarks use. */
const benchFace = /^@cairn\/server\/bench\/([a-z]+)$/

function isTest(file: string): boolean {
  return /\.test(-[a-z]+)?\.tsx?$/.test(file) || file.startsWith('server/test/')
}

/** Source files in git or not ignored by it, without tests, because tests may import more. */
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed
  .split('\n')
  .filter((file) => file !== '' && !isTest(file) && existsSync(join(root, file)))

/** The room of a file: the unit of the import rules in the table below. */
function roomOf(file: string): string {
  const domain = /^server\/src\/domains\/([a-z]+)\/(.*)$/.exec(file)
  if (domain?.[2] === 'index.ts') return 'domain index'
  if (domain?.[2] === 'bench.ts') return 'domain bench'
  if (domain?.[2]?.startsWith('routes')) return 'domain routes'
  if (/(?:^|\/)store[-./]/.test(domain?.[2] ?? '')) return 'domain store'
  if (domain) return 'domain service'
  const web = /^web\/src\/(app|features|shared|ui)\//.exec(file)
  if (web) return `web ${web[1]}`
  const server = /^server\/src\/(?:(\w+)\/|(\w+)\.ts$)/.exec(file)
  if (server) return server[1] ?? server[2] ?? ''
  return file.split('/')[0] ?? ''
}

function sameDomain(a: string, b: string): boolean {
  return dirname(a).split('/').slice(0, 4).join('/') === dirname(b).split('/').slice(0, 4).join('/')
}

/** The sub-folder of a domain that contains the file; undefined for files elsewhere. */
function folderOf(file: string): string | undefined {
  return /^server\/src\/domains\/[a-z]+\/[a-z]+(?=\/)/.exec(file)?.[0]
}

/** False for an import of a file in a sub-folder of a domain from outside, except of its `index.ts`. */
function isThroughFace({ from, to }: Import): boolean {
  const folder = folderOf(to)
  return folder === undefined || folder === folderOf(from) || to === `${folder}/index.ts`
}

/** The feature of the dashboard that a file belongs to. */
function featureOf(file: string): string | undefined {
  return /^web\/src\/features\/([a-z]+)\//.exec(file)?.[1]
}

/** Rooms that a room may import, besides itself. For imports within a domain, see `isAllowed`. */
const allowed: Record<string, string[]> = {
  contract: [],
  lib: [],
  db: ['lib', 'contract'],
  models: ['lib', 'contract'],
  // A queue is a table: jobs are written in transactions of other domains, and claimed with their own SQL.
  jobs: ['db', 'lib', 'contract'],
  http: ['lib', 'contract'],
  // Jobs are enqueued in the transaction of their change.
  'domain store': ['db', 'jobs', 'lib', 'contract', 'domain index'],
  'domain service': ['models', 'jobs', 'lib', 'contract', 'domain index'],
  'domain routes': ['http', 'contract'],
  'domain index': [],
  'domain bench': [],
  config: ['contract', 'lib'],
  version: ['lib'],
  app: ['config', 'db', 'http', 'lib', 'models', 'jobs', 'contract', 'domain index'],
  // Commands for test suites call a server; they validate cases like its routes.
  cli: ['app', 'config', 'db', 'version', 'lib', 'http', 'models', 'contract', 'sdk', 'domain index'],
  main: ['cli', 'config'],
  // The layers of the dashboard from top to bottom. For imports between features, see `isAllowed`.
  web: ['web app', 'web shared'],
  'web app': ['web features', 'web shared', 'web ui', 'sdk', 'contract'],
  'web features': ['web shared', 'web ui', 'sdk', 'contract'],
  'web shared': ['web ui', 'sdk', 'contract'],
  'web ui': ['sdk'],
  sdk: ['contract'],
  e2e: ['sdk', 'scripts'],
  // Browser benchmarks start the browser like the tests.
  bench: ['sdk', 'e2e', 'scripts', 'app', 'config', 'db', 'domain bench', 'http', 'contract'],
  docs: ['app', 'config', 'db', 'models', 'contract', 'sdk'],
  scripts: ['e2e', 'server', 'sdk'],
  server: ['main'],
}

function isAllowed(from: string, to: string): boolean {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)]
  if (fromRoom.startsWith('domain') && toRoom.startsWith('domain') && sameDomain(from, to)) {
    // Within a domain, imports go from routes to service to store; only index.ts and bench.ts export them.
    if (toRoom === 'domain index' || toRoom === 'domain bench') return false
    if (fromRoom === 'domain index' || fromRoom === 'domain bench') return true
    if (fromRoom === 'domain routes') return toRoom === 'domain service'
    return toRoom !== 'domain routes' && !(fromRoom === 'domain store' && to.endsWith('/service.ts'))
  }
  if (toRoom === 'web features' && featureOf(from) !== featureOf(to)) {
    // A feature shows its index to the others, and its routes to the app.
    if (fromRoom === 'web app') return ['index.ts', 'routes.ts'].includes(pathInFeature(to))
    return fromRoom === 'web features' && pathInFeature(to) === 'index.ts'
  }
  if (fromRoom === 'web features' && featureOf(from) === featureOf(to) && pathInFeature(to) === 'index.ts')
    return false
  return fromRoom === toRoom || (allowed[fromRoom] ?? []).includes(toRoom)
}

/** The path of a file inside its feature. */
function pathInFeature(file: string): string {
  return file.split('/').slice(4).join('/')
}

interface Import {
  from: string
  to: string
  /** The imported names in braces. */
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

/** Replaces an import of the `index.ts` of a sub-folder by imports of the files that it exports from, for the table. */
function behindFaces({ from, to, names }: Import): Import[] {
  const isOfFace = to === `${folderOf(to)}/index.ts` && folderOf(from) !== folderOf(to)
  // An import without names, such as `import * as`, could be of any file: it is checked as it stands.
  if (!isOfFace || names.length === 0) return [{ from, to, names }]
  return names.map((name) => {
    const source = byImporter.get(to)?.find((shown) => shown.names.includes(name))
    return { from, to: source?.to ?? to, names: [name] }
  })
}

/** The nodes of a cycle of imports, imports of types included; nodes are files or groups of them. */
function findCycle(arrows: readonly Pick<Import, 'from' | 'to'>[]): string[] | undefined {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const finished = new Set<string>()
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (finished.has(node)) return undefined
    for (const { to } of next.get(node) ?? []) {
      const cycle = visit(to, [...path, node])
      if (cycle) return cycle
    }
    finished.add(node)
    return undefined
  }
  for (const node of next.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Limit for the file of a service. */
const mostLines = 250

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
}

/** Imports between two features of the dashboard. */
const featureArrows = imports.flatMap((one) => {
  const [from, to] = [featureOf(one.from), featureOf(one.to)]
  return from && to && from !== to ? [{ from, to }] : []
})

describe('the import graph', () => {
  it('was read: it contains every source file, and most files import something', () => {
    expect(files.length).toBeGreaterThan(80)
    expect(files).toContain('server/src/app.ts')
    expect(new Set(imports.map(({ from }) => from)).size).toBeGreaterThan(files.length * 0.6)
    const unknown = imports.filter(({ to }) => /\.(ts|tsx|mjs)$/.test(to) && !files.includes(to))
    expect(unknown).toEqual([])
    const web = imports.filter(({ from }) => from.startsWith('web/src/'))
    for (const layer of ['app', 'features', 'shared', 'ui']) {
      expect(web.filter(({ to }) => to.startsWith(`web/src/${layer}/`)).length, layer).toBeGreaterThan(5)
    }
    expect(web.length).toBeGreaterThan(1000)
  })

  it('has a room in the table for every file', () => {
    expect(files.filter((file) => !(roomOf(file) in allowed) && !/^[\w.]+\.ts$/.test(file))).toEqual([])
  })

  it('contains only imports that the table allows', () => {
    const wrong = imports
      .flatMap(behindFaces)
      .filter(({ from, to }) => files.includes(to) && !isAllowed(from, to))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('enters sub-folders of a domain only through their index.ts', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined))
    expect(folders.size).toBeGreaterThan(10)
    expect([...folders].filter((folder) => !files.includes(`${folder}/index.ts`))).toEqual([])
    const past = imports.filter((each) => !isThroughFace(each))
    expect(past.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('exports from index.ts only names that the server uses, and from bench.ts only names that benchmarks use', () => {
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

  it('contains no service file of more than 250 lines', () => {
    const isService = (file: string) => roomOf(file) === 'domain service' && !file.endsWith('.data.ts')
    const services = files.filter(isService)
    expect(services.length).toBeGreaterThan(100)
    const long = services.filter((file) => linesOf(file) > mostLines)
    expect(long).toEqual([])
  })

  it('keeps state out of modules: app/ creates it and passes it in', () => {
    // lib/ is not checked: it keeps ids, words and turns of the event loop for each thread.
    const rooms = ['http', 'models', 'jobs', 'app']
    const checked = files.filter((file) => roomOf(file).startsWith('domain') || rooms.includes(roomOf(file)))
    const state = /^(?:export )?(?:let|var) |^(?:export )?const .*= new (?:WeakMap|WeakSet|Scratch)\b/m
    const found = checked.filter((file) => state.test(readFileSync(join(root, file), 'utf8')))
    // These files have a large constant, which is created on first use.
    const folder = 'server/src/domains/scorers/local'
    expect(found.toSorted()).toEqual([`${folder}/grammar.ts`, `${folder}/toxicity.ts`])
  })

  it('would detect a wrong import', () => {
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
    expect(isAllowed('bench/src/scorers.ts', 'server/src/domains/traces/index.ts')).toBe(false)
    const [from, folder] = ['server/src/domains/retrieval/service.ts', 'server/src/domains/retrieval/search']
    expect(isThroughFace({ from, to: `${folder}/rows.ts`, names: [] })).toBe(false)
    expect(isThroughFace({ from, to: `${folder}/index.ts`, names: [] })).toBe(true)
    expect(isThroughFace({ from: `${folder}/postings.ts`, to: `${folder}/rows.ts`, names: [] })).toBe(true)
  })

  it.each([
    ['a feature imports the app', 'features/traces/queries.ts', 'app/shell.tsx'],
    [
      'a feature imports the inside of another feature',
      'features/traces/queries.ts',
      'features/start/sample.ts',
    ],
    [
      'a feature imports the routes of another feature',
      'features/traces/queries.ts',
      'features/scores/routes.ts',
    ],
    ['a feature imports its own index', 'features/traces/queries.ts', 'features/traces/index.ts'],
    ['the app imports the inside of a feature', 'app/shell.tsx', 'features/traces/queries.ts'],
    ['the shared layer imports a feature', 'shared/failures.tsx', 'features/traces/index.ts'],
    ['the shared layer imports the app', 'shared/failures.tsx', 'app/shell.tsx'],
    ['ui imports the shared layer', 'ui/button.tsx', 'shared/client.ts'],
    ['ui imports a feature', 'ui/button.tsx', 'features/traces/index.ts'],
  ])('would go red if %s', (_, from, to) => {
    expect(files).toContain(`web/src/${from}`)
    expect(files).toContain(`web/src/${to}`)
    expect(isAllowed(`web/src/${from}`, `web/src/${to}`)).toBe(false)
  })

  it('lets the dashboard import downwards, and features through their index', () => {
    expect(isAllowed('web/src/app/router.tsx', 'web/src/features/traces/routes.ts')).toBe(true)
    expect(isAllowed('web/src/features/scores/rules.tsx', 'web/src/features/traces/index.ts')).toBe(true)
    expect(isAllowed('web/src/features/traces/queries.ts', 'web/src/shared/client.ts')).toBe(true)
    expect(isAllowed('web/src/shared/failures.tsx', 'web/src/ui/button.tsx')).toBe(true)
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
    expect(findCycle(imports)).toBeUndefined()
  })

  it('has no cycle between the features of the dashboard, and few imports between them', () => {
    const arrows = new Set(featureArrows.map(({ from, to }) => `${from} -> ${to}`))
    expect(arrows).toContain('scores -> traces')
    expect(arrows.size).toBeLessThanOrEqual(20)
    expect(findCycle(featureArrows)).toBeUndefined()
    expect(findCycle([...featureArrows, { from: 'traces', to: 'scores' }])).toBeDefined()
  })

  it('lets the contract depend only on typebox', () => {
    const text = files
      .filter((file) => file.startsWith('contract/'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
    const packages = text.flatMap((source) =>
      [...source.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name),
    )
    expect([...new Set(packages)]).toEqual(['typebox'])
  })
})
