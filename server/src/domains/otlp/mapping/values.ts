import { limits } from '@cairn/contract'
import { isObject, type JsonObject } from '@cairn/contract/conversations'
import { parseSmallJson } from '../../../lib/json/parse.ts'
import type { AttributeValue } from '../span.ts'

/** Values with more levels stay as they were received: text stays text, and deeper parts of other values are cut. */
const maxDepth = 200
/** A text with more values stays text, because parsing it would delay other requests. */
const textLimits = { depth: maxDepth, fields: Number.POSITIVE_INFINITY, values: 50_000 }

/** A number from 0 to the largest amount. SDKs also send whole numbers as text. */
export function amountOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= limits.largestAmount ? number : undefined
}

/**
 * Parses JSON; undefined for other texts, and for texts with too many levels or values. Integers that a number cannot hold
 * become texts.
 */
export function parseJson(text: string): unknown {
  try {
    // Not JSON.parse: it can confuse keys with escapes (`lib/json/scan.ts`).
    const value = parseSmallJson(Buffer.from(text), textLimits)
    return /\d{16}/.test(text) ? parseSmallJson(Buffer.from(keepDigits(text)), textLimits) : value
  } catch {
    return undefined
  }
}

/** Puts quotation marks around the integers of valid JSON that a number cannot hold. */
function keepDigits(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  )
}

/** The object or list in a text; other texts and values are returned unchanged. */
export function parsedIfJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  return parseJson(value) ?? value
}

/** The object in a value or in a JSON text. */
export function objectIn(value: unknown): JsonObject | undefined {
  const parsed = parsedIfJson(value)
  return isObject(parsed) ? parsed : undefined
}

/** A value as JSON can hold it: numbers without JSON become texts, and levels that are too deep are cut. */
export function toJsonValue(value: AttributeValue): AttributeValue {
  // Most values need no copy, and the copies of a large trace would need much memory.
  return isJsonValue(value, 0) ? value : copyAsJson(value, 0)
}

function isJsonValue(value: AttributeValue, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === maxDepth) return false
  return Object.values(value).every((one) => isJsonValue(one, depth + 1))
}

function copyAsJson(value: AttributeValue, depth: number): AttributeValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) return value.map((one) => copyAsJson(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copyAsJson(one, depth + 1)]))
}
