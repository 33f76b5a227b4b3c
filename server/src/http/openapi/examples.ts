import { exampleValues, wholeExamples } from './example-values.data.ts'
import type { SchemaComponents } from './schemas.ts'
import type { Schema } from './types.ts'

/** Optional fields of a request that an example shows in addition to the required ones: more would exceed 200 KB. */
const shownOptional = 1

/** The types that a schema allows, without null. */
function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat().filter((each) => each !== 'null')
}

function isNullable({ type = [], anyOf = [], enum: values = [] }: Schema): boolean {
  return [type].flat().includes('null') || values.includes(null) || anyOf.some((each) => each.type === 'null')
}

const hasType: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Whether a listed value has the type of the schema, and follows the rules that listed values might break. */
function fits(schema: Schema, value: unknown): boolean {
  const { format, enum: allowed, const: only, minimum, items } = schema
  if (allowed) return allowed.includes(value)
  if (only !== undefined) return value === only
  const types = typesOf(schema)
  if (types.length > 0 && !types.some((type) => hasType[type]?.(value))) return false
  if (minimum !== undefined && Number(value) < minimum) return false
  if (format === 'date-time') return String(value).includes('T')
  if (format === 'date') return !String(value).includes('T')
  return items === undefined || (value as unknown[]).every((each) => fits(items, each))
}

function fallback({ format, minimum = 1 }: Schema, type: string | undefined): unknown {
  if (format === 'date-time') return '2026-11-23T09:30:00Z'
  if (type === 'number' || type === 'integer') return Math.max(1, minimum)
  return type === 'boolean' ? true : 'text'
}

/** `files` → `file`, for the items of a list. */
function singular(name: string): string {
  return name.replace(/s$/, '')
}

/** Makes examples from schemas. Fields have the values of `exampleValues`; nullable fields without one are null. */
export class Examples {
  readonly #components: SchemaComponents

  constructor(components: SchemaComponents) {
    this.#components = components
  }

  /** An example of the body of a request, which also shows some optional fields, or of a response. */
  of(schema: Schema, isRequest: boolean): unknown {
    return this.#value(schema, { name: '', optional: isRequest ? shownOptional : 0, depth: 0 })
  }

  #listed(name: string, schema: Schema): unknown {
    return exampleValues[name]?.find((value) => fits(this.#components.resolve(schema), value))
  }

  #value(
    given: Schema,
    { name, optional, depth }: { name: string; optional: number; depth: number },
  ): unknown {
    const whole = wholeExamples[given.$ref?.split('/').at(-1) ?? '']
    if (whole !== undefined) return whole
    const schema = this.#components.resolve(given)
    const { anyOf = [], allOf, properties, minItems = 0 } = schema
    const alternatives = anyOf.filter((each) => each.type !== 'null')
    const candidates = anyOf.length > 0 ? alternatives : [schema]
    const listed = properties
      ? undefined
      : candidates.map((each) => this.#listed(name, each)).find((v) => v !== undefined)
    if (listed !== undefined) return listed
    if (schema.const !== undefined) return schema.const
    if (isNullable(schema)) return null
    if (schema.enum) return schema.enum[0]
    if (alternatives[0]) return this.#value(alternatives[0], { name, optional, depth })
    if (allOf) return Object.assign({}, ...allOf.map((part) => this.#value(part, { name, optional, depth })))
    const [type] = typesOf(schema)
    if (type === 'object') return this.#object(schema, optional, depth)
    if (type !== 'array') return fallback(schema, type)
    // Lists within lists of objects stay short.
    const isShown = minItems > 0 || depth < 1
    return isShown ? [this.#value(schema.items ?? {}, { name: singular(name), optional, depth })] : []
  }

  #object(
    { properties = {}, required = [] }: Schema,
    optional: number,
    depth: number,
  ): Record<string, unknown> {
    const others = Object.keys(properties).filter((name) => !required.includes(name) && name in exampleValues)
    const shown = new Set([...required, ...others.slice(0, optional)])
    const names = Object.keys(properties).filter((name) => shown.has(name))
    return Object.fromEntries(
      names.map((name) => [
        name,
        this.#value(properties[name] ?? {}, { name, optional: 0, depth: depth + 1 }),
      ]),
    )
  }
}
