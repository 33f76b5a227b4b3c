import type { JsonType, Route } from './route.ts'

/** A body with one error. The message must contain `field`. */
export interface Mutation {
  field: string
  what: string
  body: unknown
}

const samples: Record<JsonType, unknown> = { string: 'x', number: 5, boolean: true, array: [], object: {} }

function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/** `spans[0].name` → its steps. */
function stepsOf(path: string): string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
}

/** A copy of `body` with another value at `path`; `undefined` removes the field. */
function changed(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body)
  const steps = stepsOf(path)
  const last = steps.pop() ?? ''
  const parent = steps.reduce((node, step) => (node as Record<string, unknown>)[step], copy) as Record<
    string,
    unknown
  >
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

/** Every field of a body with its path, including nested objects and the first items of lists. */
function fieldsOf(value: unknown, free: readonly string[] = [], path = ''): [string, unknown][] {
  const own: [string, unknown][] = path === '' ? [] : [[path, value]]
  if (free.includes(path) || typeof value !== 'object' || value === null) return own
  const children = Array.isArray(value)
    ? [[`${path}[0]`, value[0]] as const]
    : Object.entries(value).map(([name, child]) => [path === '' ? name : `${path}.${name}`, child] as const)
  return [...own, ...children.flatMap(([name, child]) => fieldsOf(child, free, name))]
}

/** Values of every type that the field rejects. */
export function wrongTypes(route: Route): Mutation[] {
  return fieldsOf(route.body, route.free).flatMap(([field, value]) => {
    const taken = [typeOf(value), ...(route.alsoTakes?.[field] ?? [])]
    return Object.entries(samples)
      .filter(([type]) => !taken.includes(type as JsonType))
      .map(([type, sample]) => ({
        field,
        what: `${field} as ${type}`,
        body: changed(route.body, field, sample),
      }))
  })
}

/** Values of the right type that are out of range, empty, unknown and the like. */
export function wrongValues(route: Route): Mutation[] {
  return Object.entries(route.wrong ?? {}).flatMap(([field, values]) =>
    values.map((value) => ({
      field,
      what: `${field} as ${JSON.stringify(value)?.slice(0, 40)}`,
      body: changed(route.body, field, value),
    })),
  )
}

/** Bodies without a required field, and with null for it. */
export function missingFields(route: Route): Mutation[] {
  return (route.required ?? []).flatMap((field) => [
    { field, what: `no ${field}`, body: changed(route.body, field, undefined) },
    { field, what: `${field} as null`, body: changed(route.body, field, null) },
  ])
}

/** The valid body with NUL in one of its texts. */
export function textsWithNul(body: unknown): Mutation[] {
  return fieldsOf(body)
    .filter(([, value]) => typeof value === 'string')
    .map(([field, value]) => ({
      field,
      what: `${field} with NUL`,
      body: changed(body, field, `${value}\0b`),
    }))
}
