import { setTimeout as pause } from 'node:timers/promises'
import { traceBody } from '../support/traces.ts'
import type { Attack } from './attack.ts'
import { type Body, inProject, jsonBody, openSocket, type Target, textBody } from './client.ts'

/** Sends the same body repeatedly. */
function post(about: string, atOnce: number, path: string, make: () => Body): Attack {
  let body: Body
  return {
    about,
    atOnce,
    prepare: async () => {
      body = make()
    },
    round: async (target) => (await inProject(target, 'POST', path, body)).status,
  }
}

function tagged(traces: number, tags: number): Body {
  return jsonBody({
    traces: Array.from({ length: traces }, (_, at) => ({
      input: 'a',
      output: 'b',
      tags: Array.from({ length: tags }, (_, tag) => `t${at}-${tag}`),
    })),
  })
}

const batch = (size: number) => jsonBody({ traces: Array.from({ length: size }, (_, at) => traceBody(at)) })
const largeBatch = () =>
  jsonBody({ traces: Array.from({ length: 90 }, () => ({ input: 'a', output: 'x'.repeat(100_000) })) })

const attributes = () =>
  jsonBody({
    input: 'a',
    output: 'b',
    custom_attributes: Object.fromEntries(Array.from({ length: 400_000 }, (_, at) => [`key-${at}`, at])),
  })

const spans = () =>
  jsonBody({
    input: 'a',
    output: 'b',
    spans: Array.from({ length: 60_000 }, (_, at) => ({
      name: `step ${at}`,
      start_ms: at,
      end_ms: at + 1,
      span_id: String(at),
      parent_id: String(at - 1),
    })),
  })

const refusedBody = textBody(`{"input":"${'x'.repeat(9_000_000)}"}`)

const nested = '['.repeat(9_900_000)

/** Deletes every trace of the project and records new ones. */
async function deleteAll(target: Target): Promise<number> {
  const { status } = await inProject(target, 'DELETE', 'traces?min_latency_ms=0')
  const body = batch(1000)
  for (let at = 0; at < 5; at++) await inProject(target, 'POST', 'traces/batch', body)
  return status
}

/** A connection whose request never ends. */
async function slowRequest(target: Target): Promise<undefined> {
  const socket = openSocket(target, `POST /v1/${target.projectId}/traces`, [
    'Content-Type: application/json',
    'Content-Length: 100000',
    '',
  ])
  socket.write('\r\n{"input":"')
  while (!socket.destroyed) {
    socket.write('x')
    await pause(1000)
  }
}

/** A connection that stays open without a request. */
async function idle(target: Target): Promise<undefined> {
  const socket = openSocket(target, 'GET /v1/health', ['', ''])
  while (!socket.destroyed) await pause(1000)
}

export const writeAttacks = {
  'tags-900x900': post('900 traces of 900 tags in a batch', 1, 'traces/batch', () => tagged(900, 900)),
  'tags-1000x50': post('1,000 traces of 50 tags in a batch', 4, 'traces/batch', () => tagged(1000, 50)),
  'batches-64': post('batches of 100 over 64 connections', 64, 'traces/batch', () => batch(100)),
  'batches-large': post('batches of 9 MB, 8 at once', 8, 'traces/batch', largeBatch),
  'bodies-refused': {
    about: 'bodies of 9 MB with a key that does not exist, 16 at once',
    atOnce: 16,
    round: async (target: Target) => {
      const projectKey = `tk_00000000000000000000_${'0'.repeat(48)}`
      return (await inProject({ ...target, projectKey }, 'POST', 'traces', refusedBody)).status
    },
  },
  'json-deep': post('9.9 MB of [[[[', 4, 'traces', () => textBody(`{"input":${nested}`)),
  'json-wide': post('a trace of 400,000 attributes', 4, 'traces', attributes),
  'spans-many': post('a trace of 60,000 spans', 4, 'traces', spans),
  'delete-many': { about: '60,000 traces deleted by a filter', atOnce: 1, round: deleteAll },
  connections: { about: '2,000 connections that wait', atOnce: 2000, round: idle },
  slowloris: { about: '500 requests of a byte a second', atOnce: 500, round: slowRequest },
} satisfies Record<string, Attack>
