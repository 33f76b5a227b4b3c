import { mismatch, schemaProblem } from './json-schema.ts'

/** Checks that run in a child process, because a hostile pattern or schema may never end. */

export function matchInChild({ pattern, text }: { pattern: string; text: string }): boolean {
  return new RegExp(pattern).test(text)
}

export function schemaProblemInChild({ schema }: { schema: object }): string | undefined {
  return schemaProblem(schema as Record<string, unknown>)
}

export function mismatchInChild({ schema, text }: { schema: object; text: string }): string | undefined {
  return mismatch(schema as Record<string, unknown>, text)
}
