import type { IncomingMessage } from 'node:http'
import { runForRequest } from '../lib/current-work.ts'
import { newId } from '../lib/ids.ts'
import type { App } from './fastify.ts'

/** 1 to 128 printable ASCII characters. */
const idForm = /^[\x20-\x7e]{1,128}$/

/** A `traceparent` of W3C Trace Context. Ids of zeros only are invalid. */
const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

function traceparentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' && traceparentForm.test(traceparent) ? traceparent : undefined
}

/** The id of a request: the `X-Request-Id` of the caller if it is valid, otherwise a new one. */
export function requestIdOf({ headers: { 'x-request-id': given } }: IncomingMessage): string {
  return typeof given === 'string' && idForm.test(given) ? given : newRequestId()
}

export function newRequestId(): string {
  return newId('req_')
}

/** Sends the id of each request, and makes the id and the `traceparent` known to all of its work. */
export function registerRequestIds(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    runForRequest({ id: request.id, traceparent: traceparentOf(request.raw) }, done)
  })
}
