import { type Config, ConfigError, loadConfig } from './config.ts'

type Command = (config: Config, args: string[]) => Promise<number>

/** Each command loads only what it needs. */
const commands: Record<string, { help: string; load: () => Promise<Command> }> = {
  serve: { help: 'start the server', load: async () => (await import('./cli/serve.ts')).serve },
  keys: {
    help: 'create <project name>: a project with a first API key',
    load: async () => (await import('./cli/keys.ts')).keys,
  },
  migrate: {
    help: 'bring the database schema up to date',
    load: async () => (await import('./cli/migrate.ts')).runMigrations,
  },
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { help }]) => `  ${name.padEnd(8)} ${help}`)
  return `usage: cairn <command>\n\n${lines.join('\n')}\n\nConfiguration: docs/reference/configuration.md\n`
}

async function run([name = 'help', ...args]: string[]): Promise<number> {
  const isHelp = ['help', '--help', '-h'].includes(name)
  const command = commands[name]
  if (!command) {
    if (!isHelp) process.stderr.write(`there is no command ${name}\n\n`)
    const output = isHelp ? process.stdout : process.stderr
    output.write(help())
    return isHelp ? 0 : 2
  }
  return (await command.load())(loadConfig(process.env), args)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const known = error instanceof ConfigError
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`Cairn cannot start: ${known ? message : explain(error, message)}\n`)
  process.exitCode = 1
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
