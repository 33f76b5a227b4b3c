import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, toAnswer } from '../api.ts'
import { openSocket, wireCall } from '../wire.ts'
import type { FuzzRequest } from './requests.ts'

const patienceMs = 30_000

function headOf({ method, path, headers, body }: FuzzRequest, last: boolean): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body?.length ?? 0}`,
    ...(last ? ['Connection: close'] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** All bytes of a socket until the server closes it. */
async function talk(url: string, bytes: Buffer): Promise<string> {
  const socket = openSocket(url)
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => (text += part))
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

/** Sends bytes, and closes the connection before a response. */
async function leave(url: string, bytes: Buffer): Promise<void> {
  const socket = openSocket(url)
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.write(bytes, () => resolve())
  })
  socket.destroy()
}

/** Answers of several requests on one connection, by their status lines. */
function splitAnswers(text: string): Answer[] {
  const starts = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
  return starts.map(({ index, 1: status }, at) => {
    const part = text.slice(index, starts[at + 1]?.index)
    const bodyAt = part.indexOf('\r\n\r\n') + 4
    const headerOf = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(part)?.[1] ?? ''
    const names = ['content-type', 'x-request-id']
    const headers = new Headers(names.map((name): [string, string] => [name, headerOf(name)]))
    return toAnswer(Number(status), headers, part.slice(bodyAt))
  })
}

async function exchange(url: string, request: FuzzRequest): Promise<Answer[]> {
  const { method, path, headers, body = Buffer.alloc(0), manner } = request
  if (manner === 'whole') {
    const call = { headers, ...(request.body && { body: request.body }) }
    return [await wireCall(url, method, path, call)]
  }
  if (manner === 'pipelined') {
    const twice = [headOf(request, false), body, headOf(request, true), body]
    return splitAnswers(await talk(url, Buffer.concat(twice)))
  }
  const sent = manner === 'cut' ? body.subarray(0, body.length / 2) : body
  await leave(url, Buffer.concat([headOf(request, true), sent]))
  return []
}

/** The responses to a request; throws if none arrives in time. */
export async function send(url: string, request: FuzzRequest): Promise<Answer[]> {
  const timer = new AbortController()
  const late = pause(patienceMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${patienceMs / 1000} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([exchange(url, request), late])
  } finally {
    timer.abort()
  }
}
