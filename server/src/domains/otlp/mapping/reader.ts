import type { Attributes, AttributeValue } from '../span.ts'
import { kindHints } from './kinds.ts'
import { type Form, inputs, metadataSources, outputs } from './table.ts'
import { toJsonValue } from './values.ts'

/** An attribute of a list that was flattened into names: `<prefix>.<index>.<rest>`. */
export interface FlatAttribute {
  name: string
  rest: string
  value: AttributeValue
}

const flatForms: ReadonlySet<Form> = new Set(['messages', 'turns', 'prompts', 'documents'])

/** Prefixes of attributes that the table reads together. */
const prefixes: ReadonlySet<string> = new Set([
  ...[...inputs, ...outputs].flatMap(([name, form]) => (flatForms.has(form) ? [name] : [])),
  ...metadataSources.flatMap(([name, form]) => (form === 'below' ? [name] : [])),
  ...kindHints.flatMap(([name]) => (name.endsWith('.') ? [name.slice(0, -1)] : [])),
])

/** No prefix of the table has more dots. */
const maxDots = 2

function prefixOf(name: string): string | undefined {
  let dot = name.indexOf('.')
  for (let dots = 0; dot !== -1 && dots <= maxDots; dots++) {
    const prefix = name.slice(0, dot)
    if (prefixes.has(prefix)) return prefix
    dot = name.indexOf('.', dot + 1)
  }
  return undefined
}

/**
 * The attributes of a span. Mapping marks attributes as shown when a field of the span or trace has their whole value. All
 * others stay attributes.
 */
export class AttributeReader {
  readonly #values: Attributes
  /** By the prefixes of the table. */
  readonly #below = new Map<string, FlatAttribute[]>()
  readonly #shown = new Set<string>()

  constructor(attributes: Attributes) {
    this.#values = toJsonValue(attributes) as Attributes
    for (const [name, value] of Object.entries(this.#values)) {
      const prefix = prefixOf(name)
      if (prefix === undefined) continue
      const attribute = { name, rest: name.slice(prefix.length + 1), value }
      const group = this.#below.get(prefix)
      if (group) group.push(attribute)
      else this.#below.set(prefix, [attribute])
    }
  }

  get(name: string): AttributeValue | undefined {
    // Names such as `__proto__` and `constructor` are ordinary attributes.
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
  }

  show(names: Iterable<string>): void {
    for (const name of names) this.#shown.add(name)
  }

  /** The first of the names whose value `read` accepts. */
  first<T>(names: readonly string[], read: (value: AttributeValue) => T | undefined): T | undefined {
    for (const name of names) {
      const value = this.get(name)
      const found = value === undefined ? undefined : read(value)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The same for a field: all attributes of the list with the found value are shown. */
  take<T extends string | number>(
    names: readonly string[],
    read: (value: AttributeValue) => T | undefined,
  ): T | undefined {
    const found = this.first(names, read)
    if (found === undefined) return undefined
    for (const name of names) if (this.get(name) === found) this.#shown.add(name)
    return found
  }

  /** The attributes that start with a prefix of the table and a dot. */
  below(prefix: string): readonly FlatAttribute[] {
    return this.#below.get(prefix) ?? []
  }

  /** The attributes that no field shows. */
  others(): Attributes {
    if (this.#shown.size === 0) return this.#values
    const kept = Object.entries(this.#values).filter(([name]) => !this.#shown.has(name))
    return Object.fromEntries(kept)
  }
}

/**
 * The elements of a flattened list in the order of their indexes. Elements are grouped, so that a large index costs no more
 * than a small one.
 */
export function elementsOf(attributes: readonly FlatAttribute[]): FlatAttribute[][] {
  if (attributes.length === 0) return []
  const elements = new Map<number, FlatAttribute[]>()
  for (const { name, rest, value } of attributes) {
    const [, index, field] = /^(\d{1,15})\.(.+)$/s.exec(rest) ?? []
    if (index === undefined || field === undefined) continue
    const element = elements.get(Number(index))
    if (element) element.push({ name, rest: field, value })
    else elements.set(Number(index), [{ name, rest: field, value }])
  }
  return [...elements].sort(([a], [b]) => a - b).map(([, element]) => element)
}
