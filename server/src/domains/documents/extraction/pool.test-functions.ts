import { packText } from './packing.ts'
import type { ExtractionReply, ExtractionTask } from './worker.ts'

/**
 * Replaces `readInChild` in tests. The first byte selects the fault: 1 never ends, 2 exits, 3 exhausts the memory, 4
 * fails, 5 takes 900 ms; any other byte succeeds.
 */
export async function readInChild({ bytes }: ExtractionTask): Promise<ExtractionReply> {
  if (bytes[0] === 1) block(Number.POSITIVE_INFINITY)
  if (bytes[0] === 5) block(900)
  if (bytes[0] === 2) process.exit(3)
  if (bytes[0] === 3) exhaustMemory()
  if (bytes[0] === 4)
    return { ok: false, reason: 'failed', message: 'It failed.', cause: 'TypeError\n    at x' }
  return { ok: true, document: { content: packText('fine', [], 0), segment: { format: 1, bytes } } }
}

/** Blocks the thread as an endless loop would, but needs no processor time; `child-pool.test.ts` has the loop. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function exhaustMemory(): never {
  const kept: object[] = []
  for (;;) kept.push(new Array(10_000).fill({}))
}
