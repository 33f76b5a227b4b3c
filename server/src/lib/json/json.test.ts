import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../hash.ts'
import { encodeJson, sha256OfJson } from './encode.ts'
import { parseJson, parseSmallJson } from './parse.ts'
import { type ItemLimit, TooMuchJson } from './scan.ts'
import { parseStoredJson } from './stored.ts'

const generous = { depth: 100_000, fields: 1_000_000, values: 10_000_000 }

type Outcome = { value: unknown } | 'malformed'

/** With the order of fields, which `toEqual` does not look at. */
function outcomeOf(value: unknown): Outcome {
  return { value: JSON.stringify(value) }
}

function isMalformed(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

async function parsed(text: string, pieceBytes: number): Promise<Outcome> {
  try {
    return outcomeOf(await parseJson(Buffer.from(text), generous, pieceBytes))
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'malformed'
  }
}

const pieceBytes = fc.integer({ min: 1, max: 60 })
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('__proto__', 'constructor', 'a', 'b', '1', '0', ''),
)
const text = fc.string({ unit: 'binary', maxLength: 200 })
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'large' },
    fc.constantFrom(null, true, false, 0, -1.5e-7, 1e21),
    text,
    fc.array(tie('json'), { maxLength: 8 }),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 8 }).map(objectOf),
  ),
}))

function objectOf(entries: [string, unknown][]): object {
  const object = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

/** JSON with spaces, escapes and repeated names, which JSON.stringify never writes. */
const space = fc.constantFrom('', '', ' ', '\n\t', '\r ')
const writtenText = fc
  .array(
    fc.constantFrom(
      'a',
      '\\"',
      '\\\\',
      '\\n',
      '\\u00e9',
      '\\ud83d',
      '\\ude00',
      '\\u0000',
      'é',
      '😀',
      '\\/',
      '{',
      ']',
      ',',
    ),
    { maxLength: 20 },
  )
  .map((parts) => `"${parts.join('')}"`)

/** A JSON text and its value. JSON.parse cannot tell the value: it mixes up keys with escapes. */
interface Written {
  text: string
  value: unknown
}

const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { depthSize: 'large' },
    fc.oneof(fc.constantFrom('null', '1', '-0', '1.5E+3', 'true'), writtenText).map(scalar),
    fc.array(fc.tuple(space, tie('written'), space), { maxLength: 6 }).map((parts) => ({
      text: `[${parts.map(([before, { text }, after]) => before + text + after).join(',')}]`,
      value: parts.map(([, { value }]) => value),
    })),
    fc
      .array(fc.tuple(space, writtenText.map(scalar), space, tie('written'), space), { maxLength: 6 })
      .map((parts) => ({
        text: `{${parts.map(([a, key, b, { text }, c]) => `${a}${key.text}${b}:${b}${text}${c}`).join(',')}}`,
        value: objectOf(parts.map(([, key, , { value }]) => [key.value as string, value])),
      })),
  ),
}))

/** A value that is neither object nor list. */
function scalar(text: string): Written {
  return { text, value: JSON.parse(text) }
}

describe('JSON that is parsed in pieces', () => {
  it('is what was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          json.map((value) => ({ text: JSON.stringify(value), value: value as unknown })),
          written,
        ),
        pieceBytes,
        async ({ text, value }, size) => {
          expect(await parsed(text, size)).toEqual(outcomeOf(value))
          expect(outcomeOf(parseSmallJson(Buffer.from(text), generous))).toEqual(outcomeOf(value))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is refused when JSON.parse refuses it, wherever it is cut off, and whatever is put into it or left out', async () => {
    const wrong = fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', '\\', '1', ' ', 'x', '\u0001')
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        written,
        wrong,
        place,
        fc.integer({ min: 0, max: 2 }),
        pieceBytes,
        async ({ text: given }, part, at, left, size) => {
          const index = Math.floor(at * given.length)
          const changed = given.slice(0, index) + part + given.slice(index + left)
          const cut = given.slice(0, index)
          for (const text of [changed.toWellFormed(), cut.toWellFormed()]) {
            expect((await parsed(text, size)) === 'malformed').toBe(isMalformed(text))
          }
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('has the keys that were written, whatever keys other texts have', async () => {
    const keys = ['\\\\', '\\n', '\\u00e9', '\\"', 'b\\\\', 'b\\n']
    for (const key of [...keys, ...keys]) {
      const given = Buffer.from(`{"a":[],"${key}":{"a":1,"${key}":2}}`)
      const name = JSON.parse(`"${key}"`) as string
      for (const value of [await parseJson(given, generous), parseSmallJson(given, generous)]) {
        expect(outcomeOf(value)).toEqual(outcomeOf({ a: [], [name]: { a: 1, [name]: 2 } }))
      }
    }
  })

  it('has these keys also when it was stored', () => {
    const keys = ['\\', '\n', '"', 'b\\', 'b\n', '":', '\\":']
    for (const key of [...keys, ...keys]) {
      const given = { a: [], [key]: { a: '":', [key]: '\\":' } }
      expect(outcomeOf(parseStoredJson(JSON.stringify(given)))).toEqual(outcomeOf(given))
    }
    fc.assert(
      fc.property(json, (value) => {
        expect(outcomeOf(parseStoredJson(JSON.stringify(value)))).toEqual(outcomeOf(value))
      }),
      { numRuns: 500 },
    )
  })

  it('may have megabytes of white space anywhere', async () => {
    const gap = ' '.repeat(2_000_000)
    const large = JSON.stringify('x'.repeat(100_000))
    const good = Buffer.from(`{${gap}"\\u0061"${gap}:${gap}1${gap},${gap}"b"${gap}:${gap}${large}${gap}}`)
    const wanted = { a: 1, b: 'x'.repeat(100_000) }
    expect(await parseJson(good, generous)).toEqual(wanted)
    expect(parseSmallJson(good, generous)).toEqual(wanted)
    await expect(parseJson(Buffer.from(`{"a"${gap}x:${large}}`), generous)).rejects.toThrow(SyntaxError)
  })

  it('is refused when it is not UTF-8', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    await expect(parseJson(bytes, generous)).rejects.toThrow(SyntaxError)
    expect(() => parseSmallJson(bytes, generous)).toThrow(SyntaxError)
  })

  it.each([
    ['depth', { depth: 3 }, '{"a":[{"b":1}]}', '{"a":[{"b":[]}]}'],
    ['fields', { fields: 2 }, '{"a":1,"b":{"a":1,"b":2}}', '{"a":1,"b":{"a":1,"a":2,"a":3}}'],
    ['values', { values: 5 }, '[1,"x",null,[]]', '[1,"x",null,[2]]'],
  ] as const)('is held against the limit of %s', async (limit, limits, good, bad) => {
    for (const size of [1, 1000]) {
      expect(await parseJson(Buffer.from(good), { ...generous, ...limits }, size)).toEqual(JSON.parse(good))
      const refused = parseJson(Buffer.from(bad), { ...generous, ...limits }, size)
      await expect(refused).rejects.toThrow(TooMuchJson)
      await expect(refused).rejects.toMatchObject({ limit })
    }
    expect(() => parseSmallJson(Buffer.from(bad), { ...generous, ...limits })).toThrow(TooMuchJson)
  })

  const refuse = (limit: ItemLimit) => ({ over: limit })

  it.each([
    ['depth', { depth: 4 }, '{"b":[[[[[[1],2]],{}]],1]}'],
    ['depth', { depth: 4 }, '{"b":[{"x":{"x":[[],"]",[[]]]},"y":[2]}]}'],
    ['fields', { fields: 2 }, '{"b":{"a":1,"b":2,"c":3,"d":{}}}'],
    ['fields', { fields: 2 }, '{"a":1,"b":2,"c":3}'],
    ['values', { values: 4 }, '[1,2,3,[[4]]]'],
  ] as const)('an item over the limit of %s is refused alone', async (limit, limits, bad) => {
    const given = { ...generous, ...limits, items: { allValues: 1000, refuse } }
    const parse = (text: string, size: number) => parseJson(Buffer.from(text), given, size)
    for (const size of [1, 10, 1000]) {
      for (const gap of ['', ' ']) {
        const items = ['{"a":[1]}', bad, '{"b":1}', bad, bad, '2'].join(`${gap},${gap}`)
        const text = `{"a":[${gap}${items}${gap}],"b":[]}`
        const over = { over: limit }
        expect(await parse(text, size)).toEqual({ a: [{ a: [1] }, over, { b: 1 }, over, over, 2], b: [] })
        await expect(parse(`{"a":[1,${bad}],}`, size)).rejects.toThrow(SyntaxError)
        await expect(parse(`{"a":[1,${bad} 2 }`, size)).rejects.toThrow()
      }
      // Elsewhere the limit is that of the whole text.
      for (const text of [`[${bad}]`, `{"a":{"a":${bad}}}`]) {
        await expect(parse(text, size)).rejects.toMatchObject({ limit })
      }
      const cut = `{"a":[${bad.slice(0, -1)},1`
      await expect(parse(cut, size)).rejects.toMatchObject({ limit })
    }
  })

  it('the values of each item are counted apart, and all of them together', async () => {
    const given = { ...generous, values: 2, items: { allValues: 11, refuse } }
    for (const size of [1, 1000]) {
      const parse = (text: string) => parseJson(Buffer.from(text), given, size)
      const good = '{"a":[[1,2],[1,2],[1,2]]}'
      expect(await parse(good)).toEqual(JSON.parse(good))
      await expect(parse('{"a":[[1,2],[1,2],[1,2],1,1]}')).rejects.toMatchObject({ limit: 'allValues' })
    }
  })

  it('lets others have a turn while it is large', async () => {
    const list = JSON.stringify({
      items: Array.from({ length: 50_000 }, (_, i) => ({ number: i, text: 'x'.repeat(20) })),
    })
    let turns = 0
    const other = setInterval(() => turns++, 0)
    await parseJson(Buffer.from(list), generous)
    clearInterval(other)
    expect(turns).toBeGreaterThan(3)
  })
})

describe('JSON that is encoded in pieces', () => {
  const long = fc
    .tuple(json, fc.integer({ min: 30_000, max: 70_000 }), fc.constantFrom('😀', 'é"', '\ud83d', 'ab\u0001'))
    .map(([value, length, unit]) => ({
      value,
      text: `x${unit.repeat(length)}`,
      list: [value, unit.repeat(length)],
    }))
  it('is what JSON.stringify makes of it, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, long), async (value) => {
        const text = JSON.stringify(value)
        expect((await encodeJson(value)).equals(Buffer.from(text))).toBe(true)
        expect(await sha256OfJson(value)).toBe(sha256(text))
      }),
      { numRuns: 30 },
    )
    const wide = Array.from({ length: 5000 }, (_, i) => ({ [`k${i}`]: [i, null], absent: undefined }))
    expect((await encodeJson(wide)).toString()).toBe(JSON.stringify(wide))
  })
})
