import { mismatch, schemaProblem } from './json-schema.ts'

/** Work for a child process, which a hostile pattern or schema could make endless. */

export function matchInChild({ pattern, text }: { pattern: string; text: string }): boolean {
  return new RegExp(pattern).test(text)
}

export function schemaProblemInChild({ schema }: { schema: object }): string | undefined {
  return schemaProblem(schema as Record<string, unknown>)
}

export function mismatchInChild({ schema, text }: { schema: object; text: string }): string | undefined {
  return mismatch(schema as Record<string, unknown>, text)
}
