import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command was called with invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The server cannot be reached, or it rejected the call. The message says what to do. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

/** `parseArgs` that throws a UsageError for invalid arguments, including unknown options. */
export function parseCommand<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) throw error
    // The rest of Node's message explains arguments that begin with a dash.
    throw new UsageError(error.message.split('. ')[0])
  }
}

/** For a command without options and arguments. Throws a UsageError if there are any. */
export function refuseArguments(args: string[]): void {
  parseCommand({ args, options: {} })
}
