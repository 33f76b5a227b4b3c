import type { CreateCase } from '@cairn/contract'

/** A case in a file, not yet validated; `place` is its position in the file, such as `line 3` or `test 2`. */
export interface ReadCase {
  place: string
  value: unknown
}

interface BadPlace {
  place: string
  error: string
}

/** The cases of a file in their order, unreadable entries, and notes about parts that a case cannot express. */
export interface ReadCases {
  cases: ReadCase[]
  bad: BadPlace[]
  notes: string[]
}

export interface CheckedCase {
  place: string
  value: CreateCase
}

/** A file that cannot be parsed in its format. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
