import { mismatch, schemaProblem } from './json-schema.ts'

/** Work of the pool's threads that a hostile pattern could make endless. */

/** A task carries a flag that is set when its work begins: the start of a thread is not counted. */
interface Task {
  begun: Int32Array
}

export function matchInWorker({ begun, pattern, text }: Task & { pattern: string; text: string }): boolean {
  Atomics.store(begun, 0, 1)
  return new RegExp(pattern).test(text)
}

export function schemaProblemInWorker({
  begun,
  schema,
}: Task & { schema: Record<string, unknown> }): string | undefined {
  Atomics.store(begun, 0, 1)
  return schemaProblem(schema)
}

export function mismatchInWorker({
  begun,
  schema,
  text,
}: Task & { schema: Record<string, unknown>; text: string }): string | undefined {
  Atomics.store(begun, 0, 1)
  return mismatch(schema, text)
}
