import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { inflateSync } from 'node:zlib'

/** Functions for the tests of the pool: some succeed, some misbehave like a hostile file. */

export function double({ numbers }: { numbers: Float64Array }): Float64Array {
  return numbers.map((number) => 2 * number)
}

export async function countUp({ to }: { to: number }, report: (progress: unknown) => void): Promise<string> {
  for (let at = 1; at <= to; at++) {
    await new Promise((resolve) => setTimeout(resolve, 60))
    report({ at })
  }
  return 'done'
}

export function hang(): never {
  for (;;);
}

export function exit({ code }: { code: number }): never {
  process.exit(code)
}

export function abort(): never {
  process.abort()
}

export function fail({ message }: { message: string }): never {
  throw new Error(message)
}

/** Allocates objects without end. */
export function fillHeap(): never {
  const kept: object[] = []
  for (;;) kept.push(new Array(10_000).fill({}))
}

/** Allocates bytes outside of the heap. */
export function unpack({ bytes, times }: { bytes: Uint8Array; times: number }): number {
  const kept = Array.from({ length: times }, () => inflateSync(bytes))
  return kept.reduce((sum, { length }) => sum + length, 0)
}

export function large({ length }: { length: number }): Uint8Array {
  return new Uint8Array(length)
}

/** Tries each forbidden action; returns the error codes, or '' for an action that succeeded. */
export async function tryForbidden({ file, port }: { file: string; port: number }) {
  const { execFileSync } = await import('node:child_process')
  const { Worker } = await import('node:worker_threads')
  const attempts: Record<string, () => unknown> = {
    read: () => readFileSync(file),
    write: () => writeFileSync(`${file}.new`, 'x'),
    run: () => execFileSync('/bin/sh', ['-c', 'true']),
    thread: () => new Worker('', { eval: true }),
    addon: () => process.dlopen({ exports: {} }, file),
    inside: () => (process as unknown as { binding(name: string): unknown }).binding('fs'),
    compile: () => new Function('return 1')(),
    connect: () => connect(port, '127.0.0.1'),
    fetch: () => fetch(`http://127.0.0.1:${port}/`),
    webSocket: () => new WebSocket(`ws://127.0.0.1:${port}/`),
  }
  const outcomes: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt()
      outcomes[name] = ''
    } catch (error) {
      outcomes[name] = (error as { code?: string }).code ?? (error as Error).message
    }
  }
  return outcomes
}

export function about(): { environment: string[]; pid: number; folder: string } {
  return { environment: Object.keys(process.env), pid: process.pid, folder: process.cwd() }
}
