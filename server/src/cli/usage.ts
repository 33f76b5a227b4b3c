import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command was called in a way it does not know. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A server that a command calls cannot be reached, or did not take the call. The message says what to do. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

/** `parseArgs` that says what is wrong by a UsageError, unknown options included. */
export function parseCommand<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) throw error
    // Node goes on about how to write arguments that begin with a dash.
    throw new UsageError(error.message.split('. ')[0])
  }
}

/** For a command without options and arguments. */
export function refuseArguments(args: string[]): void {
  parseCommand({ args, options: {} })
}
