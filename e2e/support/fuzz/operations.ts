import { type Description, readPaths, type Schema } from '../api-description.ts'
import type { Route } from '../route.ts'
import { routeName, routes } from '../routes.ts'

/** An operation of the API description, with the sample of a valid request if there is one. */
export interface Operation {
  name: string
  method: string
  path: string
  /** Names of the parameters in the path. */
  inPath: readonly string[]
  query: readonly { name: string; schema: Schema }[]
  json: Schema | undefined
  form: Schema | undefined
  takesUrlencoded: boolean
  /** Called by an end user with an ID token. */
  isUsers: boolean
  statuses: readonly number[]
  /** Missing for the operations of end users. */
  route: Route | undefined
}

function toOperation(path: string, method: string, described: Description): Operation {
  const { security, parameters = [], requestBody, responses } = described
  const name = routeName({ method: method.toUpperCase() as Route['method'], path })
  const content = requestBody?.content ?? {}
  return {
    name,
    method: method.toUpperCase(),
    path,
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? ''),
    query: parameters.filter((parameter: { in: string }) => parameter.in === 'query'),
    json: content['application/json']?.schema,
    form: content['multipart/form-data']?.schema,
    takesUrlencoded: 'application/x-www-form-urlencoded' in content,
    isUsers: security.some((scheme: object) => 'idToken' in scheme),
    // Every server may be overloaded; `default` describes this.
    statuses: [...Object.keys(responses).map(Number), 503],
    route: routes.find((route) => routeName(route) === name),
  }
}

/** Every operation that the server's OpenAPI documents describe. */
export async function readOperations(url: string): Promise<Operation[]> {
  return Object.entries(await readPaths(url)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(path, method, described)),
  )
}
