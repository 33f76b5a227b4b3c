import { limits } from '@cairn/contract'
import { isObject, type JsonObject } from '@cairn/contract/conversations'
import type { AttributeValue } from '../span.ts'

/** Values with more levels stay as they were received: text stays text, and deeper parts of other values are cut. */
const maxDepth = 200

/** A number from 0 to the largest amount. SDKs also send whole numbers as text. */
export function amountOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= limits.largestAmount ? number : undefined
}

function isDeep(text: string): boolean {
  if (text.length <= maxDepth) return false
  let [depth, isInString] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === 0x5c) at++
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** Parses JSON; undefined for other texts. Integers that a number cannot hold become texts. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) ? source : value
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
export function toJsonValue(value: AttributeValue, depth = 0): AttributeValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) return value.map((one) => toJsonValue(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toJsonValue(one, depth + 1)]))
}
