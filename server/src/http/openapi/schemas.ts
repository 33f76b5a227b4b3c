import * as contract from '@cairn/contract'
import { extendComponents } from './extending.ts'
import type { Schema } from './types.ts'

const path = '#/components/schemas/'

/** A reference to a shorter schema would be longer than the schema itself. */
const shortest = 80

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '~kind' in value
}

function isLarge(schema: Schema): boolean {
  return JSON.stringify(schema).length >= shortest
}

/** `listProjects` → `ListProjects` */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

const nullType = JSON.stringify({ type: 'null' })

function isNull(schema: Schema): boolean {
  return JSON.stringify(schema) === nullType
}

/** A shorter schema that means the same. TypeBox writes each of several types or constants as a schema of its own. */
function shortened(
  { anyOf, patternProperties, nullIsAbsent: _, ...rest }: Schema,
  isNamed: (schema: Schema) => boolean,
): Schema {
  const [value, ...others] = (anyOf ?? []).filter((each) => !isNull(each))
  const isNullable = anyOf?.some(isNull)
  if (anyOf?.every((each) => 'const' in each || isNull(each))) {
    return { ...rest, enum: anyOf.map((each) => ('const' in each ? each.const : null)) }
  }
  if (
    value &&
    others.length === 0 &&
    isNullable &&
    typeof value.type === 'string' &&
    !('const' in value) &&
    !isNamed(value)
  ) {
    const { type, enum: values, ...more } = shortened(value, isNamed)
    if (typeof type === 'string' && !values) return { ...rest, ...more, type: [type, 'null'] }
  }
  const anyKey = patternProperties && JSON.stringify(patternProperties) === '{"^.*$":{}}'
  return {
    ...rest,
    ...(anyOf && { anyOf }),
    ...(patternProperties && !anyKey && { patternProperties }),
  }
}

const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']

function withoutLimits(schema: Schema): Schema {
  // A field with such a name has an object as its value.
  const keep = (key: string, value: unknown) =>
    limits.includes(key) && typeof value !== 'object' ? undefined : value
  return JSON.parse(JSON.stringify(schema, keep)) as Schema
}

/** The component schemas of the document. The schemas that the contract exports have their names of the contract. */
export class SchemaComponents {
  readonly #names = new Map<object, string>()
  /** TypeBox copies a schema that is made optional, so copies are recognized by their text. */
  readonly #namesByText = new Map<string, string>()
  readonly #schemas = new Map<string, Schema>()

  constructor() {
    for (const [name, value] of Object.entries(contract)) {
      if (!isSchema(value) || !isLarge(value)) continue
      this.#names.set(value, name)
      const text = JSON.stringify(value)
      if (!this.#namesByText.has(text)) this.#namesByText.set(text, name)
    }
  }

  /**
   * A reference to the body of a request or response, or a list of references. `operationName` names a body that the
   * contract does not name.
   */
  ofBody(schema: Schema, operationName: string): Schema {
    if (schema.items && this.#nameOf(schema.items)) return this.withReferences(schema)
    return this.#refer(schema, this.#nameOf(schema) ?? operationName)
  }

  /** The schema that a reference means. */
  resolve(schema: Schema): Schema {
    return (schema.$ref && this.#schemas.get(schema.$ref.slice(path.length))) || schema
  }

  /** All components that are referred to, by name. Limits of values are described for requests only. */
  all(requests: readonly object[]): Record<string, Schema> {
    const inRequests = this.#namesIn(requests)
    const all = [...this.#schemas].map(([name, schema]): [string, Schema] => [
      name,
      inRequests.has(name) ? schema : withoutLimits(schema),
    ])
    const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : 1))
    return extendComponents(Object.fromEntries(sorted), (name) => ({ $ref: path + name }))
  }

  /** The schema with references to components in it. */
  withReferences(given: Schema): Schema {
    const [value] = given.anyOf ?? []
    const schema = given.nullIsAbsent && value ? value : given
    const name = this.#nameOf(schema)
    return name === undefined ? this.#withReferencesInside(schema) : this.#refer(schema, name)
  }

  /** The names of the components that a value refers to, also indirectly. */
  #namesIn(value: unknown, names = new Set<string>()): Set<string> {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/([\w.-]+)/g)) {
      if (names.has(name)) continue
      names.add(name)
      this.#namesIn(this.#schemas.get(name), names)
    }
    return names
  }

  #nameOf(schema: Schema): string | undefined {
    return this.#names.get(schema) ?? this.#namesByText.get(JSON.stringify(schema))
  }

  #refer(schema: Schema, name: string): Schema {
    if (!this.#schemas.has(name)) {
      // Reserved first, because a schema may contain itself.
      this.#schemas.set(name, {})
      this.#schemas.set(name, this.#withReferencesInside(schema))
    }
    return { $ref: path + name }
  }

  #withReferencesInside(given: Schema): Schema {
    const schema = shortened(given, (each) => this.#nameOf(each) !== undefined)
    const { properties, patternProperties, additionalProperties, items, anyOf, allOf } = schema
    const change = (each: Schema) => this.withReferences(each)
    return {
      ...schema,
      ...(properties && { properties: mapValues(properties, change) }),
      ...(patternProperties && { patternProperties: mapValues(patternProperties, change) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
      ...(items && { items: change(items) }),
      ...(anyOf && { anyOf: anyOf.map(change) }),
      ...(allOf && { allOf: allOf.map(change) }),
    }
  }
}
