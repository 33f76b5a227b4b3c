import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as contract from '@cairn/contract'

/** A schema of TypeBox, which is JSON Schema. */
interface Schema {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
}

const sources = fileURLToPath(new URL('../contract/src', import.meta.url))
const values = contract as Record<string, unknown>

/** Names of schemas, by their content: a schema inside another one refers to its own type. */
const namesOf = new Map<string, string>()
for (const [name, value] of Object.entries(values)) {
  const { properties, anyOf } = value as Schema
  if (properties ? Object.keys(properties).length > 1 : anyOf) namesOf.set(JSON.stringify(value), name)
}

/** The right side of `export type <name> = …` in the contract, for types that do not come from a schema. */
function aliasOf(name: string): string {
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const found = new RegExp(`^export type ${name} = (.+)$`, 'm').exec(
      readFileSync(join(sources, file), 'utf8'),
    )
    if (found?.[1]) return found[1]
  }
  throw new Error(`the contract has no type ${name}`)
}

const union = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).join(' | ')

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}

class Writer {
  readonly #todo: string[]
  readonly #done = new Map<string, string>()

  constructor(names: readonly string[]) {
    this.#todo = [...names]
  }

  /** Declarations of all names and of the types that they refer to, sorted by name. */
  write(): string {
    for (let name = this.#todo.pop(); name !== undefined; name = this.#todo.pop()) {
      if (!this.#done.has(name)) this.#done.set(name, this.#declare(name))
    }
    return [...this.#done]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('\n')
  }

  #declare(name: string): string {
    const schema = values[name] as Schema | undefined
    if (schema === undefined || !('~kind' in schema)) return `export type ${name} = ${this.#alias(name)}\n`
    const about = comment(schema.description, '')
    return schema.properties
      ? `${about}export interface ${name} ${this.#object(schema, '')}\n`
      : `${about}export type ${name} = ${this.#type(schema, '')}\n`
  }

  #alias(name: string): string {
    const alias = aliasOf(name)
    const [, list] = /^\(typeof (\w+)\)\[number\]$/.exec(alias) ?? []
    if (list) return union(values[list] as unknown[])
    const [, table] = /^keyof typeof (\w+)$/.exec(alias) ?? []
    if (table) return union(Object.keys(values[table] as object))
    for (const [word] of alias.matchAll(/\b[A-Z]\w+\b/g)) if (word !== 'Record') this.#todo.push(word)
    return alias
  }

  /** The type of a schema inside another one. */
  #inner(schema: Schema, indent: string): string {
    const name = namesOf.get(JSON.stringify(schema))
    if (name === undefined) return this.#type(schema, indent)
    this.#todo.push(name)
    return name
  }

  #type(schema: Schema, indent: string): string {
    if (schema.anyOf) return schema.anyOf.map((each) => this.#inner(each, indent)).join(' | ')
    if (schema.enum) return union(schema.enum)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type
      case 'number':
      case 'integer':
        return 'number'
      case 'array': {
        const item = this.#inner(schema.items ?? {}, indent)
        return /[ |{]/.test(item) ? `Array<${item}>` : `${item}[]`
      }
      case 'object':
        return this.#object(schema, indent)
      case undefined:
        return 'unknown'
    }
    throw new Error(`the contract has a schema of type ${schema.type}, which has no TypeScript type yet`)
  }

  #object(
    { properties = {}, required = [], additionalProperties, patternProperties }: Schema,
    indent: string,
  ) {
    const [others] = Object.values(patternProperties ?? {})
    if (others) return `Record<string, ${this.#inner(others, indent)}>`
    const deeper = `${indent}  `
    const fields = Object.entries(properties).map(([name, schema]) => {
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
      const optional = required.includes(name) ? '' : '?'
      const type = this.#inner(schema, deeper)
      const orUndefined = optional && type !== 'unknown' ? ' | undefined' : ''
      return `${comment(schema.description, deeper)}${deeper}${key}${optional}: ${type}${orUndefined}\n`
    })
    if (additionalProperties) fields.push(`${deeper}[name: string]: unknown\n`)
    return `{\n${fields.join('')}${indent}}`
  }
}

/** TypeScript declarations of types of the contract, without TypeBox, so that the package has no dependency. */
export function contractTypes(names: readonly string[]): string {
  return new Writer(names).write()
}
