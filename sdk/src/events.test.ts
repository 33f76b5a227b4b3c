import { describe, expect, it } from 'vitest'
import { readEventData } from './events.ts'

/** A body that arrives in these pieces; `cancelled` tells whether the reader cancelled it. */
function body(pieces: Uint8Array[]) {
  const state = { cancelled: false }
  const waiting = [...pieces]
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = waiting.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { stream, state }
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function read(...pieces: Uint8Array[]): Promise<string[]> {
  return Array.fromAsync(readEventData(body(pieces).stream))
}

describe('readEventData', () => {
  const text = 'data: {"type":"content","data":"Grüße 🪨"}\n\ndata: two\n\n'
  const expected = ['{"type":"content","data":"Grüße 🪨"}', 'two']

  it('reads events at any cut of the network, even within a character', async () => {
    const whole = bytes(text)
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(await read(whole.slice(0, cut), whole.slice(cut)), `cut at ${cut}`).toEqual(expected)
    }
    expect(await read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  it('takes CRLF, several data lines, comments and other fields', async () => {
    const stream = ': ping\r\nevent: x\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\n\r\ndata:  c\r\n\r\n'
    expect(await read(bytes(stream))).toEqual(['a\nb', ' c'])
  })

  it('drops an event that the end of the stream cuts off', async () => {
    expect(await read(bytes('data: whole\n\ndata: {"type":"con'))).toEqual(['whole'])
    expect(await read()).toEqual([])
  })

  it('closes the connection if the reader leaves early', async () => {
    const { stream, state } = body([bytes('data: 1\n\n'), bytes('data: 2\n\n'), bytes('data: 3\n\n')])
    for await (const data of readEventData(stream)) {
      expect(data).toBe('1')
      break
    }
    expect(state.cancelled).toBe(true)
  })
})
