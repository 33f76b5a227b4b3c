import type { CreateCase } from '@cairn/contract'

/** What a file says about a case, not yet checked; `place` is where in the file, such as `line 3` or `test 2`. */
export interface ReadCase {
  place: string
  value: unknown
}

interface BadPlace {
  place: string
  error: string
}

/** Cases of a file in their order, what could not be read, and what was read and has no place in a case. */
export interface ReadCases {
  cases: ReadCase[]
  bad: BadPlace[]
  notes: string[]
}

export interface CheckedCase {
  place: string
  value: CreateCase
}

/** A file that cannot be read as the format that it should have. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
