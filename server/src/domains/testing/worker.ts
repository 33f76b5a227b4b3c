import { mismatch, schemaProblem } from './json-schema.ts'

/** Work of the pool's threads that a hostile pattern could make endless. */

export function matchInWorker({ pattern, text }: { pattern: string; text: string }): boolean {
  return new RegExp(pattern).test(text)
}

export function schemaProblemInWorker({ schema }: { schema: Record<string, unknown> }): string | undefined {
  return schemaProblem(schema)
}

export function mismatchInWorker(task: {
  schema: Record<string, unknown>
  text: string
}): string | undefined {
  return mismatch(task.schema, task.text)
}
