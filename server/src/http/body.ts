import type { IncomingMessage } from 'node:http'
import { CairnError, limits } from '@cairn/contract'
import type { FastifyRequest } from 'fastify'
import { isSmallJson, parseJson, parseSmallJson } from '../lib/json/parse.ts'
import { type ItemLimits, type JsonLimits, TooMuchJson } from '../lib/json/scan.ts'
import { giveWay } from '../lib/turns.ts'
import type { App } from './fastify.ts'

/** A body up to this size arrives in one piece or a few. */
const quickBytes = 256 * 1024

/** Each piece of a body takes about 400 bytes of memory, so a body of one-byte pieces would take gigabytes. */
const maxPieces = 50_000

/** Bytes of a body that are read in one round of the event loop. */
const roundBytes = 256 * 1024

/** A listener for the pieces of a body: after some of them, the next is read in another round of the event loop. */
export function readNextInTurn(this: IncomingMessage, piece: Buffer): void {
  const { bytesRead } = this.socket
  const roundOf = (bytes: number) => Math.floor(bytes / roundBytes)
  if (roundOf(bytesRead) === roundOf(bytesRead - piece.length)) return
  this.pause()
  void giveWay().then(() => this.resume())
}

/** Spreads a body over rounds of the event loop. Otherwise other requests wait while megabytes of a fast client are read. */
function pace(body: IncomingMessage): void {
  // Without the pause, the listener would start the stream before the parser listens.
  body.pause()
  limitPieces(body)
  body.on('data', readNextInTurn)
}

/** Fails the body that arrives in too many pieces. */
function limitPieces(body: IncomingMessage): void {
  let pieces = 0
  const count = () => {
    pieces += 1
    if (pieces <= maxPieces) return
    body.off('data', count)
    const message = `the request body arrives in more than ${maxPieces} pieces; send larger chunks`
    // The parser gives up. The rest of the body is read and discarded, so that the client gets the response.
    body.emit('error', new CairnError('invalid_request', message))
  }
  body.on('data', count)
}

export function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > quickBytes
}

/** The configured limits of JSON bodies. */
export interface BodyLimits {
  maxJsonDepth: number
  maxJsonFields: number
  maxJsonValues: number
  maxBatchValues: number
}

/** The message for a JSON text over a limit, with the name of the setting. */
function describeTooMuch(limit: TooMuchJson['limit'], given: BodyLimits, what: string): string {
  const messages = {
    depth: `${what} nests deeper than ${given.maxJsonDepth} levels (CAIRN_MAX_JSON_DEPTH)`,
    fields: `${what} has an object with more than ${given.maxJsonFields} fields (CAIRN_MAX_JSON_FIELDS)`,
    values: `${what} has more than ${given.maxJsonValues} values (CAIRN_MAX_JSON_VALUES)`,
    allValues: `${what} has more than ${given.maxBatchValues} values (CAIRN_MAX_BATCH_VALUES); send fewer items at once`,
  }
  return messages[limit]
}

function refuseJson(error: unknown, given: BodyLimits, what: string): never {
  if (error instanceof TooMuchJson) {
    throw new CairnError('invalid_request', describeTooMuch(error.limit, given, what), { cause: error })
  }
  if (error instanceof SyntaxError) {
    throw new CairnError('malformed_json', `${what} is not valid JSON in UTF-8`, { cause: error })
  }
  throw error
}

/** A rejected item is replaced by the error that the handler reports for it. */
function itemLimits(given: BodyLimits): ItemLimits {
  return {
    allValues: Math.max(given.maxJsonValues, given.maxBatchValues),
    refuse: (limit) => new CairnError('invalid_request', describeTooMuch(limit, given, 'the item')),
  }
}

const theBody = 'the request body'

/** Small bodies are parsed immediately, because waiting for a turn would take longer. */
function parseBody(bytes: Buffer, given: BodyLimits, hasItems: boolean): unknown {
  if (bytes.length === 0) return undefined
  const { maxJsonDepth: depth, maxJsonFields: fields, maxJsonValues: values } = given
  const limits: JsonLimits = { depth, fields, values, ...(hasItems && { items: itemLimits(given) }) }
  if (hasItems || !isSmallJson(bytes)) {
    return parseJson(bytes, limits).catch((error: unknown) => refuseJson(error, given, theBody))
  }
  try {
    return parseSmallJson(bytes, limits)
  } catch (error) {
    return refuseJson(error, given, theBody)
  }
}

/** Parses the JSON of a request that contains as much as a batch of traces. */
export async function parseLargeJson(bytes: Buffer, given: BodyLimits): Promise<unknown> {
  const { maxJsonDepth: depth, maxJsonFields: fields, maxBatchValues: values } = given
  try {
    return await parseJson(bytes, { depth, fields, values })
  } catch (error) {
    const isOver = error instanceof TooMuchJson && error.limit === 'values'
    return refuseJson(isOver ? new TooMuchJson('allValues') : error, given, theBody)
  }
}

/** After the parser, null means that there was no body. */
function refuseNull(value: unknown): unknown {
  if (value === null) throw new CairnError('invalid_request', 'the request body must be an object')
  return value
}

function parseForm(bytes: Buffer): URLSearchParams {
  let fields = 0
  for (let at = bytes.indexOf('&'); at !== -1; at = bytes.indexOf('&', at + 1)) {
    fields += 1
    if (fields < limits.formFields) continue
    throw new CairnError('invalid_request', `the form has more than ${limits.formFields} fields`)
  }
  return new URLSearchParams(bytes.toString('utf8'))
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
 * Parses JSON and URL-encoded bodies. (The documents domain reads multipart uploads.) An empty body counts as no body,
 * whatever its content type, because some clients send a JSON content type with GET and DELETE.
 */
export function registerBodyParsers(app: App, given: BodyLimits): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(json, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { hasItems = false } = request.routeOptions.config
    return refuseNull(await parseBody(bytes, given, hasItems))
  })
  app.addContentTypeParser(urlencoded, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!request.routeOptions.config.takesUrlencoded && bytes.length > 0) return done(refuseType(request))
    try {
      done(null, parseForm(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    done(bytes.length === 0 ? null : refuseType(request), undefined)
  })
  // The form parser does not read its body, so a route that expects JSON would see no body at all.
  app.addHook('preParsing', async (request) => {
    const { is404, method } = request
    if (is404 || method === 'GET' || method === 'HEAD') return
    const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (isMultipart && wantedType(request) === json) throw refuseType(request)
    // The multipart reader already reads one piece at a time.
    if (!isMultipart && isLarge(request.raw)) pace(request.raw)
  })
}
