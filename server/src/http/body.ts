import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { CairnError } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from './fastify.ts'

const drainBytes = 128 * 1024 * 1024
const drainMs = 10_000

/**
 * Reads on what the client still sends, within bounds, so that it gets to read the answer. False when there is
 * more than the bounds allow: the connection should be closed behind the answer.
 */
export function drain(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(true)
  return new Promise((resolve) => {
    let seen = 0
    const giveUp = () => resolve(false)
    const timer = setTimeout(giveUp, drainMs)
    const finish = () => {
      clearTimeout(timer)
      resolve(true)
    }
    request.on('data', (part: Buffer) => {
      seen += part.length
      if (seen <= drainBytes) return
      clearTimeout(timer)
      giveUp()
    })
    request.on('end', finish).on('error', finish).on('close', finish)
    request.resume()
  })
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CairnError('malformed_json', 'the request body is not valid JSON')
  }
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  // Decoding would quietly put U+FFFD in place of what the client meant.
  if (!isUtf8(bytes)) throw new CairnError('malformed_json', 'the request body is not JSON in UTF-8')
  const value = parseText(bytes.toString('utf8'))
  // Said here: behind the parser, null stands for no body.
  if (value === null) throw new CairnError('invalid_request', 'the request body must be an object')
  return value
}

const json = 'application/json'
const urlencoded = 'application/x-www-form-urlencoded'

/** The content type of a route's body. */
function wantedType(request: FastifyRequest): string {
  const { form, takesUrlencoded } = request.routeOptions.config
  if (!form) return json
  return takesUrlencoded ? `${urlencoded} or multipart/form-data` : 'multipart/form-data'
}

function refuseType(request: FastifyRequest): CairnError {
  return new CairnError('unsupported_media_type', `Content-Type must be ${wantedType(request)} here`)
}

/**
 * JSON and urlencoded forms are the bodies that are parsed here (uploads are multipart, see documents). An empty body is
 * no body, whatever its content type: clients send a JSON content type on GET and DELETE.
 */
export function registerBodyParsers(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(json, { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser(urlencoded, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!request.routeOptions.config.takesUrlencoded && bytes.length > 0) return done(refuseType(request))
    done(null, new URLSearchParams(bytes.toString('utf8')))
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    done(bytes.length === 0 ? null : refuseType(request), undefined)
  })
  // A form has a parser, which leaves it unread: to a route that wants JSON it would look like no body at all.
  app.addHook('preParsing', async (request) => {
    const { is404, method } = request
    if (is404 || method === 'GET' || method === 'HEAD' || wantedType(request) !== json) return
    if (/^multipart\//i.test(request.headers['content-type'] ?? '')) throw refuseType(request)
  })
}
