import { Api } from './api.ts'

/** The part of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

// biome-ignore lint/suspicious/noExplicitAny: tests check the form of the document
export type Description = any

/** Replaces every reference by its target, and objects that extend others by the whole object. */
function resolved(value: unknown, document: Description): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, allOf, ...rest } = value as Schema & Record<string, unknown>
  if (typeof $ref === 'string') return resolved(targetOf($ref, document), document)
  const inside = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, name === 'example' ? each : resolved(each, document)]),
  )
  if (!Array.isArray(allOf)) return inside
  const parts = allOf.map((part) => resolved(part, document) as Schema)
  return {
    ...inside,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** The target of a reference such as `#/components/schemas/Trace`. */
export function targetOf(reference: string, document: Description): unknown {
  const target = reference
    .split('/')
    .slice(1)
    .reduce<Description>((value, key) => value?.[key], document)
  if (target === undefined) throw new Error(`${reference} has no target`)
  return target
}

/** Filters are one parameter with an object; each of its fields is a parameter of the query. */
function queryParameters(parameters: Description[]): Description[] {
  return parameters.flatMap((parameter) =>
    parameter.explode
      ? Object.entries(parameter.schema.properties).map(([name, schema]) => ({ in: 'query', name, schema }))
      : [parameter],
  )
}

/** The paths of the server's API descriptions. */
export const documentPaths = ['/openapi.json', '/openapi-console.json']

/**
 * The paths of an API description without references: each operation has all its parameters and its security.
 */
export function pathsOf(document: Description): Record<string, Record<string, Description>> {
  const paths = Object.entries<Description>(document.paths).map(([path, { parameters = [], ...methods }]) => {
    const operations = Object.entries<Description>(methods).map(([method, operation]) => {
      const all = resolved([...parameters, ...(operation.parameters ?? [])], document) as Description[]
      const whole = { security: document.security, ...(resolved(operation, document) as object) }
      return [method, { ...whole, parameters: queryParameters(all) }]
    })
    return [path, Object.fromEntries(operations)]
  })
  return Object.fromEntries(paths)
}

/** The paths of all the server's API descriptions. */
export async function readPaths(url: string): Promise<ReturnType<typeof pathsOf>> {
  const documents = await Promise.all(documentPaths.map((path) => new Api(url).ok('GET', path)))
  return Object.assign({}, ...documents.map(({ body }) => pathsOf(body)))
}
