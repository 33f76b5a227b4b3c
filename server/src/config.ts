import { join } from 'node:path'
import { backgroundVariables } from './config/background.ts'
import { capacityVariables } from './config/capacity.ts'
import { fileVariables } from './config/files.ts'
import { modelVariables } from './config/models.ts'
import { requestVariables } from './config/requests.ts'
import { serverVariables } from './config/server.ts'
import type { Variable } from './config/variable.ts'

/** An invalid value in the environment. The message names the variable and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Every variable that the server reads. The reference page and the checks use this table. */
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

/** The key of a variable with a numeric value. */
type NumberKey = { [K in keyof Config]: Config[K] extends number ? K : never }[keyof Config] | 'memoryBytes'

export interface Limit {
  key: NumberKey
  name: string
  doc: string
}

/** The settings that protect projects from each other. */
export const limitSettings: readonly Limit[] = Object.entries<Variable<unknown>>(variables)
  .filter(([, { isLimit }]) => isLimit)
  .map(([key, { name, doc }]) => ({ key: key as NumberKey, name, doc }))

/** The value of one variable. An empty string counts as not set, because shells and compose files pass it on. */
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
 * Unknown variables with our prefix: a typing error, or a variable of a client. They cause a warning and not an error,
 * because clients share the prefix.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(variables).map((definition) => definition.name))
  return Object.keys(environment).filter((name) => name.startsWith('CAIRN_') && !known.has(name))
}

/** The folder with the models that run on this machine. */
export function localModelsFolder({ localModels, dataDir }: Config): string {
  return localModels ?? join(dataDir, 'models')
}

/** Checks that the values of several variables fit together. */
function checkProviders(config: Config): void {
  if (config.compatibleModels.length > 0 && !config.compatibleBaseUrl) {
    throw new ConfigError('COMPATIBLE_MODELS needs COMPATIBLE_BASE_URL')
  }
  if (config.azureApiKey && !config.azureBaseUrl) throw new ConfigError('AZURE_API_KEY needs AZURE_BASE_URL')
  if (config.bedrockApiKey && !config.bedrockRegion) {
    throw new ConfigError('BEDROCK_API_KEY needs BEDROCK_REGION')
  }
}

/** A service needs a key, and another server an address; a service behind a gateway may need no key. */
function checkReranking({ rerankModel, rerankApiKey, rerankBaseUrl }: Config): void {
  if (rerankModel === undefined || rerankBaseUrl) return
  const isService = /^(?:cohere|jina|voyage)\//.test(rerankModel)
  if (isService && rerankApiKey) return
  const missing = isService ? 'CAIRN_RERANK_API_KEY' : 'CAIRN_RERANK_BASE_URL'
  throw new ConfigError(`CAIRN_RERANK_MODEL=${rerankModel} needs ${missing}`)
}

/** Parses the environment once. Throws ConfigError for an invalid value. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const entries = Object.entries(variables).map(([key, definition]) => [
    key,
    read(definition as Variable<unknown>, environment),
  ])
  const config = Object.freeze(Object.fromEntries(entries)) as Config
  checkProviders(config)
  checkReranking(config)
  return config
}
