import { problemOfHeader, problemOfServerName } from '@cairn/contract'
import { apiKey, type NamedModel, namedModels, url } from './parse.ts'

/** A server with OpenAI's API and a name of its own. */
export interface ModelServer {
  name: string
  baseUrl: string
  apiKey: string | undefined
  headers: Record<string, string>
  models: NamedModel[]
}

function fail(problem: string): never {
  throw new Error(`must be a JSON object of servers by name: ${problem}`)
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const known = ['base_url', 'api_key', 'headers', 'models']

function toServer(name: string, fields: unknown): ModelServer {
  const problem = problemOfServerName(name)
  if (problem) fail(problem)
  if (!isObject(fields)) fail(`${name} must be an object`)
  const unknown = Object.keys(fields).find((field) => !known.includes(field))
  if (unknown) fail(`${name} has the unknown field ${unknown}`)
  const { base_url, api_key, headers = {}, models = [] } = fields
  if (typeof base_url !== 'string') fail(`${name} needs base_url`)
  if (api_key !== undefined && typeof api_key !== 'string') fail(`${name}.api_key must be a text`)
  if (!isObject(headers)) fail(`${name}.headers must be an object`)
  if (!Array.isArray(models)) fail(`${name}.models must be a list`)
  return {
    name,
    baseUrl: url('http', 'https')(base_url),
    apiKey: api_key === undefined ? undefined : apiKey(api_key),
    headers: toHeaders(name, headers),
    models: models.flatMap((model) => namedModels(String(model))),
  }
}

function toHeaders(server: string, headers: Fields): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    const problem =
      typeof value === 'string' ? problemOfHeader(name, value) : `the header ${name} must be a text`
    if (problem) fail(`${server}: ${problem}`)
  }
  return headers as Record<string, string>
}

/** Parses servers with OpenAI's API, by name. */
export function modelServers(text: string): ModelServer[] {
  let servers: unknown
  try {
    servers = JSON.parse(text)
  } catch {
    fail('it is not JSON')
  }
  if (!isObject(servers)) fail('it is not an object')
  return Object.entries(servers).map(([name, fields]) => toServer(name, fields))
}
