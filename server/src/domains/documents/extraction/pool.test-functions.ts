import { packText } from './packing.ts'
import type { ExtractionReply, ExtractionTask } from './worker.ts'

/**
 * Replaces `readInChild` in tests. The first byte selects the fault: 1 never ends, 2 exits, 3 exhausts the memory, 4
 * fails, 5 takes 900 ms; any other byte succeeds.
 */
export async function readInChild({ bytes }: ExtractionTask): Promise<ExtractionReply> {
  if (bytes[0] === 1) for (;;);
  if (bytes[0] === 5) for (const end = performance.now() + 900; performance.now() < end; );
  if (bytes[0] === 2) process.exit(3)
  if (bytes[0] === 3) exhaustMemory()
  if (bytes[0] === 4)
    return { ok: false, reason: 'failed', message: 'It failed.', cause: 'TypeError\n    at x' }
  return { ok: true, document: { content: packText('fine', [], 0), segment: { format: 1, bytes } } }
}

function exhaustMemory(): never {
  const kept: object[] = []
  for (;;) kept.push(new Array(10_000).fill({}))
}
