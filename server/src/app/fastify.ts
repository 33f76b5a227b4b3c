import { limits } from '@cairn/contract'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import Fastify, { LogController } from 'fastify'
import { registerBodyParsers } from '../http/body.ts'
import { createSendError, refuseConnection, registerErrors, type SendError } from '../http/errors.ts'
import type { App } from '../http/fastify.ts'
import { registerHostCheck } from '../http/host-header.ts'
import { registerRequestLog } from '../http/logging.ts'
import { registerOpenApi } from '../http/openapi/index.ts'
import { registerRequestIds, requestIdOf } from '../http/request-ids.ts'
import { registerSecurityHeaders } from '../http/security-headers.ts'
import { registerStalledClients } from '../http/stalled-clients.ts'
import { registerStopping } from '../http/stopping.ts'
import { validatorCompiler } from '../http/validation.ts'
import { createNotFoundPage, registerWeb } from '../http/web.ts'
import type { AppDependencies } from './dependencies.ts'

const allowedHeaders = [
  'Authorization',
  'X-API-Key',
  'X-App-ID',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'traceparent',
  'tracestate',
]

const exposedHeaders = [
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Next-Cursor',
  'Link',
  'Content-Disposition',
]

function newFastify({ config, logger }: AppDependencies, sendError: SendError): App {
  return Fastify({
    loggerInstance: logger,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: config.trustedProxies ?? false,
    bodyLimit: config.maxJsonBytes,
    return503OnClosing: false,
    requestTimeout: limits.requestMs,
    // Node's own refusal has no body; `registerHostCheck` refuses more, with one.
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => refuseConnection(socket, error.code),
  })
}

/** Fastify with what all routes share, the web page and OpenAPI; those two say of themselves who may call them. */
export async function createFastify(
  dependencies: AppDependencies,
): Promise<{ app: App; isStopping: () => boolean }> {
  const sendError = createSendError()
  const app = newFastify(dependencies, sendError)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => JSON.stringify)
  registerRequestIds(app)
  registerErrors(app, sendError, createNotFoundPage())
  registerHostCheck(app)
  registerSecurityHeaders(app)
  registerRequestLog(app)
  const isStopping = registerStopping(app)
  registerStalledClients(app, dependencies.config.stallSeconds * 1000)
  await app.register(cors, {
    origin: dependencies.config.corsOrigins,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
  })
  registerBodyParsers(app, dependencies.config)
  await app.register(multipart)
  await registerWeb(app)
  await registerOpenApi(app, dependencies.version)
  return { app, isStopping }
}
