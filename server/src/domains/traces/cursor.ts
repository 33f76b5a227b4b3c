import { CairnError } from '@cairn/contract'
import type { TracePosition } from './store.ts'

export function encodeCursor({ createdMs, traceId }: TracePosition): string {
  return Buffer.from(`${createdMs}.${traceId}`).toString('base64url')
}

export function decodeCursor(cursor: string): TracePosition {
  const match = /^(-?\d{1,16})\.(trc_[0-9a-z]{20})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match?.[2]) {
    throw new CairnError('invalid_request', 'cursor must be the X-Next-Cursor header of an earlier page')
  }
  return { createdMs: Number(match[1]), traceId: match[2] }
}
