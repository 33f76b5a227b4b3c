import { CairnError } from '@cairn/contract'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** The fields of a TypeBox error that messages use. */
interface SchemaError {
  keyword: string
  instancePath: string
  params: object
  message: string
}

/** `/traces/3/input` → `traces[3].input` */
function fieldName(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part), '')
}

function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ')
}

function expectation({ keyword, params, message }: SchemaError): string {
  if (keyword === 'pattern') return 'must not be blank, nor contain control characters'
  if (keyword === 'minLength') return 'must not be empty'
  if ('type' in params)
    return `must be ${/^[aeiou]/.test(String(params.type)) ? 'an' : 'a'} ${String(params.type)}`
  if ('allowedValues' in params) return `must be ${oneOf(params.allowedValues as unknown[])}`
  if ('allowedValue' in params) return `must be ${JSON.stringify(params.allowedValue)}`
  return message
}

/** The accepted alternatives of a union: `must be "success" or "error"`, `must be a string or must not be empty`. */
function alternatives(errors: SchemaError[]): string {
  const all = [...new Set(errors.map(expectation))].filter((kind) => kind !== 'must be a null')
  const kinds = all.filter((kind) => kind.startsWith('must be ')).map((kind) => kind.slice('must be '.length))
  const others = all.filter((kind) => !kind.startsWith('must be '))
  return [...(kinds.length > 0 ? [`must be ${kinds.join(' or ')}`] : []), ...others].join(' or ')
}

/** A sentence about an error, and the field at fault; `undefined` for the whole value. */
interface Problem {
  field: string | undefined
  sentence: string
}

function problemOf(field: string, whole: string, expected: string): Problem {
  return { field: field || undefined, sentence: `${field || whole} ${expected}` }
}

/**
 * One sentence about the first error, with the name of the field. In a union, errors of the alternatives come before the
 * error of the union itself. An alternative that matched deeper into the value gives a better message.
 */
function describeErrors(errors: readonly SchemaError[], whole: string): Problem {
  const [first] = errors
  if (!first) return problemOf('', whole, 'is not valid')
  if (first.keyword === 'required' && 'requiredProperties' in first.params) {
    const [missing] = first.params.requiredProperties as string[]
    const place = fieldName(first.instancePath)
    return problemOf(`${place ? `${place}.` : ''}${missing}`, whole, 'is required')
  }
  const union = errors.find(
    (error) => error.keyword === 'anyOf' && first.instancePath.startsWith(error.instancePath),
  )
  if (!union) return problemOf(fieldName(first.instancePath), whole, expectation(first))
  const inside = errors.slice(0, errors.indexOf(union))
  const deepest = inside.filter((error) => error.instancePath.length > union.instancePath.length)
  if (deepest.length > 0) return describeErrors(deepest, whole)
  const telling = inside.filter((error) => error.keyword !== 'type')
  const wanted = telling.length > 0 && telling.every((error) => error.keyword !== 'const') ? telling : inside
  return problemOf(fieldName(union.instancePath), whole, alternatives(wanted))
}

const wholeNames: Record<string, string> = {
  body: 'the request body',
  querystring: 'the query',
  params: 'the path',
}

/** PostgreSQL rejects NUL in text, and no id or name in the database contains it. */
function refuseNul(values: Record<string, unknown>, httpPart: 'params' | 'querystring'): void {
  const [name] = Object.entries(values).find((entry) => String(entry).includes('\0')) ?? []
  if (name === undefined) return
  if (httpPart === 'params') throw new CairnError('not_found', `no such ${name}`)
  throw new CairnError('invalid_request', `${name} must not contain the character NUL`, { param: name })
}

/** The accepted notation of numbers in a query. */
const queryNumbers: Record<string, RegExp | undefined> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i,
}

/** Query parameters are text. If the schema expects a number, numbers in JSON notation are converted. */
function convertQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = 'properties' in schema ? (schema.properties as Record<string, { type?: string }>) : {}
  const entries = Object.entries(query).map(([name, value]) => {
    const form = queryNumbers[properties[name]?.type ?? '']
    return [name, typeof value === 'string' && form?.test(value) ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

/** Checks a value outside of a route's schema, for example an item of a batch; throws `invalid_request`. */
export function compileCheck<T>(schema: TSchema, whole: string): (value: unknown) => T {
  // Compiled on first use: there are hundreds of schemas, and a new server needs few of them.
  let compiled: ReturnType<typeof Compile> | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return value as T
    const { field, sentence } = describeErrors(compiled.Errors(value) as SchemaError[], whole)
    throw new CairnError('invalid_request', sentence, { param: field })
  }
}

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = compileCheck(schema, wholeNames[httpPart ?? ''] ?? 'the request')
  return (value: unknown) => {
    // Without a body, Fastify passes null. Treated as {}, the message names the first required field.
    const given = httpPart === 'body' ? (value ?? {}) : value
    try {
      if (httpPart === 'params' || httpPart === 'querystring') {
        refuseNul(given as Record<string, unknown>, httpPart)
      }
      const converted =
        httpPart === 'querystring' ? convertQuery(schema, given as Record<string, unknown>) : given
      return { value: check(converted) }
    } catch (error) {
      return { error: error as Error }
    }
  }
}
