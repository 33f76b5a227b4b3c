import { backgroundVariables } from './config/background.ts'
import { capacityVariables } from './config/capacity.ts'
import { fileVariables } from './config/files.ts'
import { modelVariables } from './config/models.ts'
import { requestVariables } from './config/requests.ts'
import { serverVariables } from './config/server.ts'
import type { Variable } from './config/variable.ts'

/** A value of the environment that makes no sense. The message names the variable and says what would do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Every variable the server reads; the reference page and the checks are made from this table. */
export const variables = {
  ...serverVariables,
  ...requestVariables,
  ...fileVariables,
  ...capacityVariables,
  ...modelVariables,
  ...backgroundVariables,
}

type Variables = typeof variables
export type Config = { readonly [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never }

/** The key of a variable with a number for its value. */
type NumberKey = { [K in keyof Config]: Config[K] extends number ? K : never }[keyof Config] | 'memoryBytes'

export interface Limit {
  key: NumberKey
  name: string
  doc: string
}

/** The variables that keep one project from slowing down others. */
export const limitSettings: readonly Limit[] = Object.entries<Variable<unknown>>(variables)
  .filter(([, { isLimit }]) => isLimit)
  .map(([key, { name, doc }]) => ({ key: key as NumberKey, name, doc }))

/** One variable's value; an empty string counts as not set, as shells and compose files pass it on. */
function read<T>({ name, fallback, parse }: Variable<T>, environment: NodeJS.ProcessEnv): T {
  const text = environment[name]?.trim()
  if (!text) return fallback
  try {
    return parse(text)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'is not valid'}`)
  }
}

/**
 * Names that look like ours and that nobody reads: a slip of the pen, or a client's own. Worth a warning, and no
 * refusal, since clients share the prefix.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(variables).map((definition) => definition.name))
  return Object.keys(environment).filter((name) => name.startsWith('CAIRN_') && !known.has(name))
}

/** What several variables say together. */
function checkProviders(config: Config): void {
  if (config.compatibleModels.length > 0 && !config.compatibleBaseUrl) {
    throw new ConfigError('COMPATIBLE_MODELS needs COMPATIBLE_BASE_URL')
  }
}

/** Parses the environment once. Throws ConfigError on nonsense. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(variables).map(([key, definition]) => [
    key,
    read(definition as Variable<unknown>, environment),
  ])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  checkProviders(config)
  return config
}
