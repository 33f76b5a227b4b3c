import type { Schema } from '../api-description.ts'
import type { Dice } from './dice.ts'

const numbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  1.000000000000001,
  1e-320,
  1e15,
  1e308,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e20,
]

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\n\r\t',
  '\u202e\u200b\ufeff',
  '\ud800',
  'a\udfff\ud83d',
  '😀'.repeat(50),
  'ﷺ'.repeat(300),
  'e\u0301'.repeat(100),
  '__proto__',
  'constructor',
  'toString',
  '../../../../x',
  '%s%n%d',
  '{{output}}{{input}}',
  '$1$&$`',
  "'; --",
  '"\\"',
  '<script>alert(1)</script>',
  'true',
  'null',
  'NaN',
  '-1',
  '1e400',
  '2024-02-30',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'data:text/plain,x',
  'http://[::1',
  '(a+)+$',
  '[',
  'x'.repeat(201),
  'x'.repeat(5_000),
  'x'.repeat(120_000),
  'ä'.repeat(70_000),
]

/**
 * A text that often breaks parsers: control characters, lone surrogates, injection, extreme dates, and lengths just above
 * common limits.
 */
export function oddText(dice: Dice): string {
  return dice.pick(texts)
}

/** Lists or objects in each other, `depth` levels deep. */
function nested(depth: number, isList: boolean): unknown {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = isList ? [value] : { a: value }
  return value
}

/** An attempt at prototype pollution. `JSON.parse` makes `__proto__` an ordinary key; a literal would set the prototype. */
const ownProto: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}')

/** A value of a random type, usually invalid for the field. */
export function oddValue(dice: Dice): unknown {
  const kind = dice.weighted({ text: 5, number: 4, plain: 4, deep: 1, wide: 1, proto: 1 })
  if (kind === 'text') return oddText(dice)
  if (kind === 'number') return dice.pick(numbers)
  // The server rejects 2000 levels (`limits.jsonDepth`).
  if (kind === 'deep') return nested(dice.pick([10, 33, 65, 500, 2000]), dice.chance(0.5))
  if (kind === 'proto') return structuredClone(ownProto)
  if (kind === 'plain') return dice.pick<unknown>([null, true, false, [], {}, [[]], [null], [{}], { '': '' }])
  // One more than common limits of lists.
  const width = dice.pick([21, 101, 1001])
  if (dice.chance(0.5)) return Array.from({ length: width }, (_, at) => (dice.chance(0.5) ? at : `x${at}`))
  return Object.fromEntries(Array.from({ length: width }, (_, at) => [`key-${at}`, at]))
}

/** Usual values of text fields by name, because their schema says only that they are texts. */
const usualTexts: Record<string, readonly string[]> = {
  start_date: ['2020-01-01', '2024-01-02T03:04:05.678Z'],
  end_date: ['2030-01-01', '2024-02-01T00:00:00Z'],
  model: ['gpt-4o', 'acme-1'],
  group_by: ['model', 'tag', 'attr.tier', 'environment'],
  tag: ['a', 'chat'],
  messages: ['[{"role":"user","content":"What is up?"}]'],
  scope_values: ['{"team":"a"}'],
  scope_filters: ['{"team":"a"}'],
  text_contents: ['["The first text.","The second text."]'],
  content_names: ['["first.txt","second.txt"]'],
}

/**
 * A value of the schema's type, within its enum and numeric range. It ignores patterns, formats, lengths and `const`, so the
 * server may still reject it.
 */
export function schemaValue(dice: Dice, schema: Schema, name = ''): unknown {
  const { anyOf, enum: listed, items, properties = {}, required = [], minimum = 0 } = schema
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type
  if (anyOf) return schemaValue(dice, dice.pick(anyOf), name)
  if (listed) return dice.pick(listed)
  if (type === 'boolean') return dice.chance(0.5)
  if (type === 'null') return null
  if (type === 'array') return items ? [schemaValue(dice, items, name)] : []
  if (type === 'integer' || type === 'number') {
    const top = Math.min(schema.maximum ?? 1000, minimum + 1000)
    const value = minimum + dice.below(top - minimum + 1)
    return type === 'number' && dice.chance(0.3) ? Math.min(top, value + 0.25) : value
  }
  if (type === 'string') return dice.pick(usualTexts[name] ?? ['a', 'What is up?', 'ein größerer Text', '1'])
  const wanted = Object.entries(properties).filter(([key]) => required.includes(key) || dice.chance(0.5))
  // The description says once that null counts as left out.
  const fieldValue = (key: string, child: Schema) =>
    !required.includes(key) && dice.chance(0.1) ? null : schemaValue(dice, child, key)
  return Object.fromEntries(wanted.map(([key, child]) => [key, fieldValue(key, child)]))
}
