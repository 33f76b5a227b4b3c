import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIso, toIso } from './time.ts'

const moment = fc.date({
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const digits = (value: number, length = 2) => String(value).padStart(length, '0')

describe('parseIso', () => {
  it('agrees with toIso and Date', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const text = date.toISOString()
        expect(parseIso(text)).toBe(date.getTime())
        expect(parseIso(toIso(date.getTime()))).toBe(date.getTime())
        expect(parseIso(text.slice(0, 10))).toBe(Date.parse(text.slice(0, 10)))
        expect(parseIso(text.slice(0, 19))).toBe(Date.parse(`${text.slice(0, 19)}Z`))
        expect(parseIso(text.slice(0, 16))).toBe(Date.parse(`${text.slice(0, 16)}Z`))
        expect(parseIso(` ${text.replace('T', ' ').toLowerCase()} `)).toBe(date.getTime())
      }),
    )
  })

  it('reads offsets, with or without a colon', () => {
    const hours = fc.integer({ min: 0, max: 23 })
    const minutes = fc.integer({ min: 0, max: 59 })
    fc.assert(
      fc.property(
        moment,
        hours,
        minutes,
        fc.constantFrom('+', '-'),
        fc.constantFrom(':', ''),
        (date, h, m, sign, colon) => {
          const offsetMs = (h * 60 + m) * 60_000 * (sign === '+' ? 1 : -1)
          const text = `${date.toISOString().slice(0, -1)}${sign}${digits(h)}${colon}${digits(m)}`
          expect(parseIso(text)).toBe(date.getTime() - offsetMs)
        },
      ),
    )
  })

  it('truncates fractions of a second to milliseconds', () => {
    const base = Date.parse('2024-01-01T00:00:00Z')
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('.', ','),
        (n, length, mark) => {
          const fraction = digits(n, 9).slice(0, length)
          const expected = base + Math.floor(Number(`0.${fraction}`) * 1000 + 1e-9)
          expect(parseIso(`2024-01-01T00:00:00${mark}${fraction}Z`)).toBe(expected)
        },
      ),
    )
  })

  it('rejects days, times and offsets that do not exist', () => {
    const year = fc.integer({ min: 0, max: 9999 })
    const field = fc.integer({ min: 0, max: 99 })
    fc.assert(
      fc.property(year, field, field, (y, month, day) => {
        const text = `${digits(y, 4)}-${digits(month)}-${digits(day)}`
        const lastDay = new Date(Date.UTC(2000 + (y % 400), month, 0)).getUTCDate()
        const valid = month >= 1 && month <= 12 && day >= 1 && day <= lastDay
        expect(parseIso(text) !== undefined, text).toBe(valid)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(field, field, field, (hour, minute, second) => {
        const text = `2024-02-29T${digits(hour)}:${digits(minute)}:${digits(second)}Z`
        const midnight = hour === 24 && minute === 0 && second === 0
        const valid = (hour <= 23 && minute <= 59 && second <= 59) || midnight
        expect(parseIso(text) !== undefined, text).toBe(valid)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(field, field, (hour, minute) => {
        const text = `2024-02-29T12:00:00+${digits(hour)}:${digits(minute)}`
        expect(parseIso(text) !== undefined, text).toBe(hour <= 23 && minute <= 59)
      }),
      { numRuns: 2000 },
    )
  })

  it('rejects every other text', () => {
    const isoLike = /^\d{4}-\d{2}-\d{2}/
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!isoLike.test(text.trim()))
        expect(parseIso(text)).toBeUndefined()
      }),
    )
    const wrong = [
      '',
      '2024',
      '2024-01',
      '20240101',
      '2024-1-1',
      '+002024-01-01',
      '2024-01-01T',
      '2024-01-01T00',
      '2024-01-01Z',
    ]
    for (const text of [
      ...wrong,
      '2024-01-01T00:00:00 Z',
      '2024-01-01T00:00:00.Z',
      '2024-W01-1',
      '1704067200000',
      'now',
    ]) {
      expect(parseIso(text), text).toBeUndefined()
    }
  })
})
