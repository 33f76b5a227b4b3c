import type { PackedRows } from '../../lib/packed-rows.ts'

/** Messages between the main thread and a database thread. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** One statement run once for each row of parameters. */
export type BatchStatement = { sql: string } & (
  | { rows: readonly (readonly SqlValue[])[] }
  | { common: readonly SqlValue[]; packed: PackedRows }
)

export type ThreadRequest =
  | { op: 'execute'; sql: string; params: readonly SqlValue[] }
  | { op: 'batch'; statements: readonly BatchStatement[]; durable: boolean }
  | { op: 'begin' }
  | { op: 'script'; sql: string }
  | { op: 'open-stream'; stream: number; sql: string; params: readonly SqlValue[] }
  | { op: 'read-stream'; stream: number; count: number }
  | { op: 'close-stream'; stream: number }
  | { op: 'close' }

/** `done` means that a stream has no further rows. */
export type ThreadResult = { rows: Record<string, unknown>[]; changes: number; done?: boolean }

export type ThreadResponse =
  | { id: number; ok: true; result: ThreadResult }
  | { id: number; ok: false; message: string; resultCode: number | undefined }

export interface ThreadSetup {
  file: string
  /** A scanner is a reader whose work can wait, and whose statements have a time limit. */
  role: 'writer' | 'reader' | 'checkpointer' | 'scanner' | 'exporter'
}
