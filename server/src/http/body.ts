import type { IncomingMessage } from 'node:http'
import { CairnError } from '@cairn/contract'
import type { App } from './fastify.ts'

const drainBytes = 128 * 1024 * 1024
const drainMs = 10_000

/** Reads on what the client still sends, within bounds, so that it gets to read the answer. */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let seen = 0
    const timer = setTimeout(resolve, drainMs)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (part: Buffer) => {
      seen += part.length
      if (seen > drainBytes) finish()
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
  const value = parseText(bytes.toString('utf8'))
  // Said here: behind the parser, null stands for no body.
  if (value === null) throw new CairnError('invalid_request', 'the request body must be an object')
  return value
}

/**
 * JSON is the only body that is parsed here (uploads are multipart, see documents). An empty body is no body,
 * whatever its content type: clients send a JSON content type on GET and DELETE.
 */
export function registerBodyParsers(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    done(new CairnError('unsupported_media_type', 'Content-Type must be application/json here'))
  })
}
