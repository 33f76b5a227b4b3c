import { CairnError, OtlpAnswer, OtlpLogs, OtlpMetrics, OtlpTraces } from '@cairn/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { exporterKey } from '../../http/access.ts'
import { type BodyLimits, parseLargeJson } from '../../http/body.ts'
import type { App } from '../../http/fastify.ts'
import { unpack } from '../../http/unpack.ts'
import { toEvents } from './log-events.ts'
import { Rejections } from './rejections.ts'
import type { OtlpService } from './service.ts'
import {
  countPoints,
  decodeLogs,
  decodeSpans,
  type Encoding,
  encodeAnswer,
  encodeStatus,
  MalformedOtlpError,
  type OtlpBody,
  type RejectedName,
  TooManyValuesError,
} from './wire/index.ts'

const types: Record<Encoding, string> = { json: 'application/json', protobuf: 'application/x-protobuf' }

function encodingOf({ headers }: FastifyRequest): Encoding {
  return /^application\/x-protobuf\b/i.test(headers['content-type'] ?? '') ? 'protobuf' : 'json'
}

/** Every error has the form that exporters expect, in the encoding of the request. */
async function encodeError({ status, message }: CairnError, request: FastifyRequest) {
  const encoding = encodingOf(request)
  return { type: types[encoding], body: await encodeStatus(encoding, status, message) }
}

/** An invalid request gets 400. */
function toRefusal(error: unknown): unknown {
  if (error instanceof MalformedOtlpError || error instanceof TooManyValuesError) {
    return new CairnError('invalid_request', error.message, { cause: error })
  }
  return error
}

function registerParsers(app: App, limits: BodyLimits): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    types.json,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer): Promise<OtlpBody> => {
      const value = await parseLargeJson(await unpack(request, bytes), limits)
      return { encoding: 'json', value }
    },
  )
  app.addContentTypeParser(
    types.protobuf,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer): Promise<OtlpBody> => ({
      encoding: 'protobuf',
      bytes: await unpack(request, bytes),
    }),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(refuseType()))
}

function refuseType(): CairnError {
  return new CairnError(
    'unsupported_media_type',
    'Content-Type must be application/x-protobuf or application/json here',
  )
}

/** The body of a request; an empty one has not been parsed. */
function bodyOf(request: FastifyRequest): OtlpBody {
  const body = request.body as OtlpBody | undefined | null
  if (body) return body
  if (request.headers['content-type'] === undefined) throw refuseType()
  if (encodingOf(request) === 'protobuf') return { encoding: 'protobuf', bytes: new Uint8Array() }
  throw new CairnError('malformed_json', 'the request body is not valid JSON in UTF-8')
}

interface Signal {
  path: string
  operationId: string
  summary: string
  body: TSchema
  rejected: RejectedName
  receive: (projectId: string, body: OtlpBody, rejections: Rejections) => Promise<void>
}

/** The endpoints of OTLP over HTTP. */
export function otlpRoutes(app: App, otlp: OtlpService, limits: BodyLimits): void {
  const receiveTraces: Signal['receive'] = async (projectId, body, rejections) => {
    const spans = await decodeSpans(body, rejections)
    await otlp.receiveSpans(projectId, spans, rejections)
  }
  const signals: Signal[] = [
    {
      path: '/v1/traces',
      operationId: 'receiveSpans',
      summary: 'Receive spans by OTLP; the response is sent when they are on disk',
      body: OtlpTraces,
      rejected: 'rejectedSpans',
      receive: receiveTraces,
    },
    {
      path: '/api/public/otel/v1/traces',
      operationId: 'receiveLangfuseSpans',
      summary: 'Receive spans by OTLP, at the path of Langfuse',
      body: OtlpTraces,
      rejected: 'rejectedSpans',
      receive: receiveTraces,
    },
    {
      path: '/v1/logs',
      operationId: 'receiveLogs',
      summary: 'Receive events of generative AI for spans by OTLP',
      body: OtlpLogs,
      rejected: 'rejectedLogRecords',
      receive: async (projectId, body, rejections) => {
        const events = toEvents(await decodeLogs(body, rejections), rejections)
        await otlp.receiveEvents(projectId, events, rejections)
      },
    },
    {
      path: '/v1/metrics',
      operationId: 'receiveMetrics',
      summary: 'Reject metrics by OTLP as a partial success',
      body: OtlpMetrics,
      rejected: 'rejectedDataPoints',
      receive: async (_projectId, body, rejections) => {
        rejections.add('metrics are not stored', await countPoints(body))
      },
    },
  ]
  app.register(async (scope: App) => {
    registerParsers(scope, limits)
    for (const signal of signals) registerSignal(scope, signal)
  })
}

function registerSignal(app: App, { path, operationId, summary, body, rejected, receive }: Signal): void {
  app.post(
    path,
    {
      config: { access: exporterKey('ingest'), unpacks: true, encodeError },
      schema: {
        operationId,
        tags: ['OpenTelemetry'],
        summary,
        consumes: Object.values(types),
        produces: Object.values(types),
        body,
        response: { 200: OtlpAnswer },
      },
      // The body is checked while it is decoded.
      validatorCompiler: () => () => true,
    },
    async (request, reply: FastifyReply) => {
      const given = bodyOf(request)
      const rejections = new Rejections()
      try {
        await receive(request.principal?.projectId ?? '', given, rejections)
      } catch (error) {
        throw toRefusal(error)
      }
      const answer = await encodeAnswer(given.encoding, rejected, rejections)
      return reply.header('content-type', types[given.encoding]).send(answer as never)
    },
  )
}
