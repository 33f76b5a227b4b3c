import { CairnError } from '@cairn/contract'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** The part of a TypeBox error that messages are made of. */
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
  if (keyword === 'pattern') return 'must not be blank, nor hold control characters'
  if (keyword === 'minLength') return 'must not be empty'
  if ('type' in params)
    return `must be ${/^[aeiou]/.test(String(params.type)) ? 'an' : 'a'} ${String(params.type)}`
  if ('allowedValues' in params) return `must be ${oneOf(params.allowedValues as unknown[])}`
  if ('allowedValue' in params) return `must be ${JSON.stringify(params.allowedValue)}`
  return message
}

/** What the alternatives of a union would have taken: `"success" or "error"`, `a string or a number`. */
function alternatives(errors: SchemaError[]): string {
  const kinds = errors.map((error) => expectation(error).replace(/^must be /, ''))
  return `must be ${[...new Set(kinds)].filter((kind) => kind !== 'a null').join(' or ')}`
}

/**
 * One sentence about the first thing wrong, with the field's name in it. Errors inside of a union come before
 * the union's own; alternatives that reached deeper into the value say more than those that refused its type.
 */
function describeErrors(errors: readonly SchemaError[], whole: string): string {
  const [first] = errors
  if (!first) return `${whole} is not valid`
  if (first.keyword === 'required' && 'requiredProperties' in first.params) {
    const [missing] = first.params.requiredProperties as string[]
    const place = fieldName(first.instancePath)
    return `${place ? `${place}.` : ''}${missing} is required`
  }
  const union = errors.find(
    (error) => error.keyword === 'anyOf' && first.instancePath.startsWith(error.instancePath),
  )
  if (!union) return `${fieldName(first.instancePath) || whole} ${expectation(first)}`
  const inside = errors.slice(0, errors.indexOf(union))
  const deepest = inside.filter((error) => error.instancePath.length > union.instancePath.length)
  if (deepest.length > 0) return describeErrors(deepest, whole)
  const telling = inside.filter((error) => error.keyword !== 'type')
  const wanted = telling.length > 0 && telling.every((error) => error.keyword !== 'const') ? telling : inside
  return `${fieldName(union.instancePath) || whole} ${alternatives(wanted)}`
}

const wholeNames: Record<string, string> = {
  body: 'the request body',
  querystring: 'the query',
  params: 'the path',
}

/** PostgreSQL refuses NUL in text, and nothing that we gave a name to holds one. */
function refuseNul(values: Record<string, unknown>, httpPart: 'params' | 'querystring'): void {
  const [name] = Object.entries(values).find(([, value]) => String(value).includes('\0')) ?? []
  if (name === undefined) return
  if (httpPart === 'params') throw new CairnError('not_found', `no such ${name}`)
  throw new CairnError('invalid_request', `${name} must not hold the character NUL`)
}

/** How numbers are written in a query. */
const queryNumbers: Record<string, RegExp | undefined> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i,
}

/** Query parameters arrive as text; numbers, as JSON writes them, become numbers where the schema wants one. */
function convertQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = 'properties' in schema ? (schema.properties as Record<string, { type?: string }>) : {}
  const entries = Object.entries(query).map(([name, value]) => {
    const form = queryNumbers[properties[name]?.type ?? '']
    return [name, typeof value === 'string' && form?.test(value) ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}

/** Checks a value outside of a route's own schema (an item of a batch, say); throws `invalid_request`. */
export function compileCheck<T>(schema: TSchema, whole: string): (value: unknown) => T {
  // With the first value: a server has hundreds of schemas, most of which are not asked for soon after its start.
  let compiled: ReturnType<typeof Compile> | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return value as T
    throw new CairnError('invalid_request', describeErrors(compiled.Errors(value) as SchemaError[], whole))
  }
}

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = compileCheck(schema, wholeNames[httpPart ?? ''] ?? 'the request')
  return (value: unknown) => {
    // Fastify hands over null for no body. It lacks the first required field; saying that helps most.
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
