import { CairnError, limits } from '@cairn/contract'
import { parseIso } from '../../lib/time.ts'

export type JsonObject = { [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxIdLength = 200
/** The last millisecond of the year 9999. */
const lastMs = 253_402_300_799_999

function invalid(message: string): CairnError {
  return new CairnError('invalid_request', message)
}

/** Epoch milliseconds of a number in seconds, milliseconds, microseconds or nanoseconds. */
function fromEpoch(time: number): number {
  if (time < 1e11) return time * 1000
  if (time < 1e14) return time
  return time < 1e17 ? time / 1000 : time / 1e6
}

function toSnakeCase(name: string): string {
  return name.includes('.') ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * The fields of a record by their names in snake_case. Exports write names in snake_case or camelCase, and an empty text or
 * null for a missing value. Errors name the field.
 */
export class Fields {
  readonly #values = new Map<string, unknown>()
  readonly #path: string

  constructor(object: JsonObject, path = '') {
    this.#path = path
    for (const [name, value] of Object.entries(object)) this.#values.set(toSnakeCase(name), value)
  }

  get names(): string[] {
    return [...this.#values.keys()]
  }

  /** The fields that have a value. */
  get entries(): [name: string, value: unknown][] {
    return this.names.flatMap((name) => {
      const value = this.get(name)
      return value === undefined ? [] : [[name, value] as [string, unknown]]
    })
  }

  /** Whether the record has the field, also without a value. */
  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** The first of the names with a value. */
  get(...names: string[]): unknown {
    for (const name of names) {
      const value = this.#values.get(name)
      if (value !== undefined && value !== null && value !== '') return value
    }
    return undefined
  }

  text(...names: string[]): string | undefined {
    const value = this.get(...names)
    if (value === undefined || typeof value === 'string') return value
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }

  number(...names: string[]): number | undefined {
    const value = this.get(...names)
    const number = typeof value === 'string' ? Number(value) : value
    if (number === undefined) return undefined
    if (typeof number === 'number' && Number.isFinite(number)) return number
    throw invalid(`${this.#nameOf(names)} must be a number`)
  }

  /** A number from 0 to the largest amount; undefined for others, because some tools write -1 for an unknown amount. */
  amount(...names: string[]): number | undefined {
    const number = this.number(...names)
    return number !== undefined && number >= 0 && number <= limits.largestAmount ? number : undefined
  }

  /** Epoch milliseconds. */
  time(...names: string[]): number | undefined {
    const value = this.get(...names)
    if (value === undefined) return undefined
    const isNumber =
      typeof value === 'number' || (typeof value === 'string' && /^\d{9,}(\.\d+)?$/.test(value))
    const ms = isNumber ? fromEpoch(Number(value)) : typeof value === 'string' ? parseIso(value) : undefined
    if (ms !== undefined && ms >= 0 && ms <= lastMs) return ms
    throw invalid(`${this.#nameOf(names)} must be a time in ISO 8601`)
  }

  requiredTime(...names: string[]): number {
    return this.time(...names) ?? this.#missing(names)
  }

  id(...names: string[]): string | undefined {
    const text = this.text(...names)
    const isValid = text === undefined || (text.isWellFormed() && /^[^\p{Cc}]{1,200}$/u.test(text))
    if (isValid) return text
    throw invalid(`${this.#nameOf(names)} must have at most ${maxIdLength} printable characters`)
  }

  requiredId(...names: string[]): string {
    return this.id(...names) ?? this.#missing(names)
  }

  object(...names: string[]): JsonObject | undefined {
    const value = this.get(...names)
    if (value === undefined || isObject(value)) return value
    throw invalid(`${this.#nameOf(names)} must be an object`)
  }

  /** The fields of an object. */
  inside(name: string): Fields | undefined {
    const object = this.object(name)
    return object && new Fields(object, `${this.#path}${name}.`)
  }

  list(...names: string[]): unknown[] {
    const value = this.get(...names) ?? []
    if (Array.isArray(value)) return value
    throw invalid(`${this.#nameOf(names)} must be a list`)
  }

  texts(...names: string[]): string[] | undefined {
    const texts = this.list(...names).flatMap((text) =>
      typeof text === 'string' && text !== '' ? [text] : [],
    )
    return texts.length > 0 ? [...new Set(texts)] : undefined
  }

  /** The objects of a list. */
  items(name: string): Fields[] {
    return this.list(name).map((item, at) => {
      const place = `${this.#path}${name}[${at}]`
      if (!isObject(item)) throw invalid(`${place} must be an object`)
      return new Fields(item, `${place}.`)
    })
  }

  #nameOf(names: readonly string[]): string {
    const found = names.find((name) => this.get(name) !== undefined)
    return `${this.#path}${found ?? names[0]}`
  }

  #missing(names: readonly string[]): never {
    throw invalid(`${this.#path}${names[0]} is required`)
  }
}

/** Whether a value has more nested levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/** Numbers by name, also those that are texts. */
export function numbersIn(object: JsonObject | undefined): { [key: string]: number } | undefined {
  const numbers = Object.entries(object ?? {}).flatMap(([key, value]): [string, number][] => {
    const number = typeof value === 'string' && value !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? [[key, number]] : []
  })
  return numbers.length > 0 ? Object.fromEntries(numbers) : undefined
}

/** The fields that have a value. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
