import { keepFilesPrivate } from './cli/private-files.ts'
import { RemoteError, UsageError } from './cli/usage.ts'
import { ConfigError, loadConfig } from './config.ts'

type Run = (config: ReturnType<typeof loadConfig>, args: string[]) => Promise<number>

interface Command {
  /** Arguments of the command, for the help text. */
  usage: string
  help: string
  /** The command calls a running server and opens neither the data folder nor the database. */
  isClient?: true
  load: () => Promise<Run>
}

/** Each command is loaded only when it is used. */
const commands: Record<string, Command> = {
  serve: {
    usage: '',
    help: 'start the server',
    load: async () => (await import('./cli/serve.ts')).serve,
  },
  keys: {
    usage: 'create <project name>',
    help: 'create a project with a first API key',
    load: async () => (await import('./cli/keys.ts')).keys,
  },
  import: {
    usage:
      '<project_id> <file | -> [--from langfuse|phoenix|opik|langsmith] [--scale <score>=<from>..<to>] [--dry-run] [--again]',
    help: 'import traces from JSON Lines, or an export of another tool; continues where it was stopped',
    load: async () => (await import('./cli/import.ts')).importFile,
  },
  reprice: {
    usage: '<project_id> [--start-date <date>] [--end-date <date>] [--model <name>]',
    help: 'compute the costs of traces again after a change of prices',
    load: async () => (await import('./cli/reprice.ts')).reprice,
  },
  test: {
    usage:
      '<suite> [--fail-under <0..1>] [--junit <file>] [--json <file>] [--version <version>] [--concurrency <n>] [--timeout <ms>] [--name <text>] [--url <url>] [--project <id>]',
    help: 'run a test suite on a server; exits with 1 if the pass rate is below --fail-under (1 by default)',
    isClient: true,
    load: async () => (await import('./cli/test-suite.ts')).testSuite,
  },
  'import-cases': {
    usage:
      '<suite> <file> [--format csv|jsonl|promptfoo|langfuse|phoenix|opik|langsmith] [--query <template>] [--create] [--dry-run] [--skip-bad] [--url <url>] [--project <id>]',
    help: 'import the cases of a test suite from CSV, JSON Lines, a promptfoo config, or a dataset of another tool',
    isClient: true,
    load: async () => (await import('./cli/import-cases.ts')).importCases,
  },
  compare: {
    usage: '<version a> <version b> [--suite <suite>] [--url <url>] [--project <id>]',
    help: "compare two versions: their traces, and each suite's last completed runs",
    isClient: true,
    load: async () => (await import('./cli/compare.ts')).compare,
  },
  models: {
    usage: 'list | pull <name>',
    help: 'list or fetch models that run on this machine',
    load: async () => (await import('./cli/models.ts')).models,
  },
  doctor: {
    usage: '',
    help: 'check the database for inconsistencies; writes nothing to it',
    load: async () => (await import('./cli/doctor.ts')).doctor,
  },
  migrate: {
    usage: '',
    help: 'bring the database schema up to date',
    load: async () => (await import('./cli/migrate.ts')).runMigrations,
  },
}

function callOf(name: string): string {
  return `cairn ${name} ${commands[name]?.usage ?? ''}`.trimEnd()
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { help }]) => `  ${callOf(name)}\n      ${help}`)
  return `usage: cairn <command>\n\n${lines.join('\n')}\n\nConfiguration: docs/reference/configuration.md\n`
}

const asksForHelp = (word: string) => ['help', '--help', '-h'].includes(word)

async function run(name: string, args: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const isHelp = asksForHelp(name)
    if (!isHelp) process.stderr.write(`there is no command ${name}\n\n`)
    const output = isHelp ? process.stdout : process.stderr
    output.write(help())
    return isHelp ? 0 : 2
  }
  if (args.length === 1 && args.some(asksForHelp)) {
    process.stdout.write(`usage: ${callOf(name)}\n\n${command.help}\n`)
    return 0
  }
  const config = loadConfig(process.env)
  // A client command writes reports, and its caller decides who may read them.
  if (!command.isClient) await keepFilesPrivate(config.dataDir)
  return (await command.load())(config, args)
}

const [name = 'help', ...rest] = process.argv.slice(2)
try {
  process.exitCode = await run(name, rest)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError) {
    process.stderr.write(`${message}\n\nusage: ${callOf(name)}\n`)
    process.exitCode = 2
  } else if (error instanceof RemoteError) {
    process.stderr.write(`${message}\n`)
    process.exitCode = 2
  } else {
    const what =
      name === 'serve' || error instanceof ConfigError ? 'Cairn cannot start' : `cairn ${name} failed`
    process.stderr.write(`${what}: ${error instanceof ConfigError ? message : explain(error, message)}\n`)
    process.exitCode = 1
  }
}
// A failed start may leave threads or sockets open that would keep the process alive.
process.exit()

function explain(error: unknown, message: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'the port is in use; stop the other process or set PORT'
  if (code === 'EACCES') return `${message}; choose another PORT or CAIRN_DATA_DIR`
  if (code === 'ECONNREFUSED') return 'DATABASE_URL: no PostgreSQL server answers there'
  return error instanceof Error ? (error.stack ?? message) : message
}
