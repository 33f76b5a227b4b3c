import type { Duplex } from 'node:stream'
import { CairnError, type ErrorCode, errorCatalogue } from '@cairn/contract'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { WrongCursor } from '../lib/cursor.ts'
import { isForeignKeyViolation, isInvalidText, isUnavailable } from '../lib/database-error.ts'
import { loggedError } from '../lib/logged-error.ts'
import { isLarge } from './body.ts'
import { Drain } from './drain.ts'
import { errorBody, errorOfStatus, paramOf } from './error-body.ts'
import type { App } from './fastify.ts'
import { newRequestId, requestIdOf } from './request-ids.ts'

const json = 'application/json; charset=utf-8'

const byFastifyCode: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'the request body is too large'],
  FST_REQ_FILE_TOO_LARGE: ['body_too_large', 'the file is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'this content type is not supported here'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media_type', 'the body must be multipart/form-data'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'the body is shorter or longer than its Content-Length',
  ],
  FST_ERR_BAD_URL: ['invalid_request', 'the path is not a valid URL'],
  FST_ERR_ASYNC_CONSTRAINT: ['invalid_request', 'the request cannot be routed'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'no such path'],
}

/** Converts any thrown value to a catalogue error. Unknown errors become `internal_error` and keep their cause. */
function toCairnError(error: unknown): CairnError {
  if (error instanceof CairnError) return error
  if (error instanceof WrongCursor) return new CairnError('invalid_request', error.message, { cause: error })
  // The parent row was deleted between the check and the write.
  if (isForeignKeyViolation(error)) {
    const message = 'a resource of the request was deleted in the meantime; nothing was written'
    return new CairnError('not_found', message, { cause: error })
  }
  if (isUnavailable(error)) {
    return new CairnError('overloaded', 'the database does not respond', { retryAfter: 1, cause: error })
  }
  if (isInvalidText(error)) {
    const message = 'a text of the request contains NUL, which no id or name contains'
    return new CairnError('invalid_request', message, { cause: error })
  }
  const { code, statusCode } = error as Partial<FastifyError>
  const known = byFastifyCode[code ?? '']
  if (known) return new CairnError(known[0], known[1], { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new CairnError('invalid_request', 'the request is malformed', { cause: error })
  }
  return new CairnError('internal_error', 'something went wrong on the server; its log has the details', {
    cause: error,
  })
}

/** The project API has its own error body. For an unknown path, the first id in it decides which body is used. */
function isProjectApi(request: FastifyRequest): boolean {
  const access = request.routeOptions.config?.access
  if (access) return access.credential === 'project-key'
  return /^\/v1\/proj_/.test(request.url)
}

/**
 * A client that is still sending would lose the response if the connection were reset. If the connection stays open,
 * Node discards the rest of a small body itself. Of a large body it would read megabytes in one round of the event loop.
 */
async function finishReading(
  drain: Drain,
  error: CairnError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const tooLarge = error.status === 413
  if (!tooLarge && reply.raw.shouldKeepAlive) {
    if (isLarge(request.raw)) drain.discard(request.raw)
    return
  }
  const complete = await drain.run(request.raw)
  if (!complete) reply.header('connection', 'close')
  // Fastify sets the header, but the whole body was read, so the connection can be used again.
  else if (tooLarge) reply.removeHeader('connection')
}

/** The error for the caller. Failures that the caller did not cause are logged. */
export function reportFailure(error: unknown, log: FastifyBaseLogger): CairnError {
  const known = toCairnError(error)
  // Overload and provider failures are expected. Stack traces in the log would add load.
  if (known.status === 502 || known.status === 503) {
    const cause = known.cause instanceof Error ? known.cause.message : undefined
    log.warn({ code: known.code, cause }, known.message)
  } else if (known.status >= 500) {
    log.error({ code: known.code, cause: loggedError(known.cause ?? known) }, 'failed')
  }
  return known
}

/** The client disconnected before the response began. Nobody receives an error, and the server has not failed. */
function isAbandoned(error: unknown, reply: FastifyReply): boolean {
  return reply.raw.destroyed && (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

export type SendError = ReturnType<typeof createSendError>

/** Responds to a failed request with the error body of its API. */
export function createSendError() {
  const drain = new Drain()
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isAbandoned(error, reply)) return
    const known = reportFailure(error, request.log)
    if (reply.raw.headersSent) return void reply.raw.destroy()
    await finishReading(drain, known, request, reply)
    // Hooks do not run for a path that cannot be parsed.
    reply.header('x-request-id', request.id)
    if (known.retryAfter !== undefined)
      reply.header('retry-after', String(Math.max(1, Math.ceil(known.retryAfter))))
    if (known.status === 401) reply.header('www-authenticate', 'Bearer')
    const encoded = await request.routeOptions.config?.encodeError?.(known, request)
    if (encoded)
      return void (await reply.code(known.status).header('content-type', encoded.type).send(encoded.body))
    const { code: type, status, message } = known
    const described = { type, status, message, param: paramOf(known, request) }
    await reply
      .code(status)
      .header('content-type', json)
      .serializer(JSON.stringify)
      .send(errorBody(described, request.id, isProjectApi(request)))
  }
}

/** `notFoundPage` returns the page for a browser at an unknown path; undefined for other clients. */
export function registerErrors(
  app: App,
  sendError: SendError,
  notFoundPage: (request: FastifyRequest) => Buffer | undefined,
): void {
  // Node would answer an unknown expectation with an empty body.
  app.server.on('checkExpectation', (request, response) => {
    const id = requestIdOf(request)
    const body = plainError(
      'expectation_failed',
      'the server supports no expectation except 100-continue',
      id,
    )
    const headers = { 'content-type': json, 'content-length': Buffer.byteLength(body), 'x-request-id': id }
    response.writeHead(417, { ...headers, connection: 'close' })
    response.end(body)
  })
  // The server is not a proxy. Node would close the connection without a response.
  app.server.on('connect', (_request, socket) => {
    // Node has removed its own listener; without one, an error would end the process.
    socket.on('error', () => {})
    refuseConnection(socket, undefined)
  })
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => {
    const page = notFoundPage(request)
    if (page) return reply.code(404).type('text/html; charset=utf-8').send(page)
    return sendError(new CairnError('not_found', 'no such path, or not with this method'), request, reply)
  })
  // Plugins send errors as plain text, for example for an invalid OPTIONS request.
  app.addHook('onSend', async (request, reply, payload) => {
    const { statusCode: status } = reply
    if (status < 400 || typeof payload !== 'string') return payload
    if (String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    reply.header('content-type', json).removeHeader('content-length')
    const described = { type: errorOfStatus(status), status, message: payload, param: undefined }
    return JSON.stringify(errorBody(described, request.id, isProjectApi(request)))
  })
}

/** The body of an error outside of any route. */
function plainError(type: ErrorCode, message: string, requestId: string): string {
  const described = { type, status: errorCatalogue[type].status, message, param: undefined }
  return JSON.stringify(errorBody(described, requestId, false))
}

const unreadable: Record<string, [status: string, type: ErrorCode, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'the request headers are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request took too long to arrive'],
}

/** Time for the client to read the error and to close its side of the connection. */
const lingerMs = 2000

/** Answers a request that Node's parser rejects, before any route, with a JSON body, and closes the connection. */
export function refuseConnection(socket: Duplex, code: string | undefined): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(clientErrorResponse(code))
  // Otherwise the socket stays open as long as the client keeps its side open.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function clientErrorResponse(code: string | undefined): string {
  const malformed = ['400 Bad Request', 'invalid_request', 'the request is malformed'] as const
  const [status, type, message] = unreadable[code ?? ''] ?? malformed
  // Its headers could not be read.
  const id = newRequestId()
  const body = plainError(type, message, id)
  return [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${id}`,
    `Content-Type: ${json}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
