import type { Dice } from './dice.ts'
import { oddText, oddValue } from './values.ts'

type Container = Record<string, unknown> | unknown[]

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** Every object and list of a value, itself first. */
function containersOf(value: unknown, found: Container[] = []): Container[] {
  if (!isContainer(value)) return found
  found.push(value)
  for (const child of Object.values(value)) containersOf(child, found)
  return found
}

function set(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Changes, adds, removes, wraps or repeats one random value of a body. */
function mutateOnce(dice: Dice, body: Container): void {
  const container = dice.pick(containersOf(body))
  const key = dice.pick(Object.keys(container))
  const value = key === undefined ? undefined : (container as Record<string, unknown>)[key]
  const kind = dice.weighted({ replace: 6, remove: 2, extra: 2, wrap: 1, repeat: 1 })
  if (kind === 'extra' || key === undefined) {
    const name = dice.pick([
      '',
      'x',
      '__proto__',
      'constructor',
      '😀',
      'a\0b',
      oddText(dice).slice(0, 10_000),
    ])
    if (Array.isArray(container)) container.push(oddValue(dice))
    else set(container, name, oddValue(dice))
  } else if (kind === 'replace') set(container, key, oddValue(dice))
  else if (kind === 'remove') delete (container as Record<string, unknown>)[key]
  else if (kind === 'wrap') set(container, key, dice.chance(0.5) ? [value] : { [key]: value })
  else set(container, key, repeated(dice, value))
}

/** Maximum length of a repeated list as JSON text, because repeated repetitions would take minutes. */
const maxRepeatedLength = 1_000_000

/**
 * A list that repeats a value; only twice if the list would be too long. Its items are the same object, so a later
 * mutation of one item changes all.
 */
function repeated(dice: Dice, value: unknown): unknown[] {
  const wanted = dice.pick([2, 101, 1001])
  const isTooLong = wanted * (JSON.stringify(value)?.length ?? 0) > maxRepeatedLength
  return Array.from({ length: isTooLong ? 2 : wanted }, () => value)
}

/** Bodies that are invalid JSON, no object, or contain odd values. */
const oddBodies = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1}}',
  '{"a":NaN}',
  '{"a":01}',
  '{"a":1e999}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '\ufeff{}',
  '{"a":1,}',
  '[1,',
  '\0',
]

/** JSON text of a body with the same key twice, the second with another value (an empty body gets one key). */
function withDuplicate(dice: Dice, body: object): string {
  const key = dice.pick(Object.keys(body))
  const again = `${JSON.stringify(key ?? 'a')}:${JSON.stringify(oddValue(dice)) ?? 'null'}`
  return `${JSON.stringify(body).slice(0, -1)}${key === undefined ? '' : ','}${again}}`
}

function withNesting(dice: Dice, body: object): string {
  const depth = dice.pick([100, 5_000, 50_000])
  const isList = dice.chance(0.5)
  const deep = isList
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const key = dice.pick(Object.keys(body)) ?? 'a'
  return JSON.stringify({ ...body, [key]: 'the-deep-value' }).replace('"the-deep-value"', deep)
}

/**
 * A request body: unchanged, with changed or missing fields, with a duplicate key, deeply nested, or with broken text
 * or bytes.
 */
export function mutatedJson(dice: Dice, base: object): Buffer {
  const kind = dice.weighted({
    unchanged: 35,
    fewer: 8,
    changed: 42,
    odd: 6,
    duplicate: 3,
    deep: 3,
    bytes: 3,
  })
  if (kind === 'odd') return Buffer.from(dice.pick(oddBodies))
  if (kind === 'duplicate') return Buffer.from(withDuplicate(dice, base))
  if (kind === 'deep') return Buffer.from(withNesting(dice, base))
  if (kind === 'bytes') {
    const bytes = Buffer.from(JSON.stringify(base))
    for (let at = 0; at <= dice.below(4); at++) bytes[dice.below(bytes.length)] = dice.below(256)
    return bytes
  }
  const body = structuredClone(base) as Record<string, unknown>
  if (kind === 'fewer') for (const key of Object.keys(body)) if (dice.chance(0.4)) delete body[key]
  if (kind === 'changed') for (let at = 0; at <= dice.below(3); at++) mutateOnce(dice, body)
  return Buffer.from(JSON.stringify(body))
}
