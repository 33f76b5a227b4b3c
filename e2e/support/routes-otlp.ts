import type { Route } from './route.ts'

const receives = {
  method: 'POST',
  credential: 'project-key',
  permission: 'ingest',
  status: 200,
  isOfKey: true,
} as const

/** A valid request whose item is rejected: it has no ids. So nothing is stored later, while other tests run. */
function traces(): Pick<Route, 'body' | 'alsoTakes' | 'free'> {
  const span = {
    traceId: 'none',
    spanId: 'none',
    parentSpanId: 'none',
    name: 'step',
    attributes: [{ key: 'a', value: { arrayValue: { values: [{ stringValue: 'x' }] } } }],
    events: [{ name: 'e', timeUnixNano: '1700000000000000000' }],
    status: { code: 1, message: 'fine' },
  }
  const scope = { name: 'scope', version: '1' }
  const place = 'resourceSpans[0].scopeSpans[0].spans[0]'
  return {
    body: {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
          scopeSpans: [{ scope, spans: [span] }],
        },
      ],
    },
    alsoTakes: { [`${place}.status.code`]: ['string'], [`${place}.events[0].timeUnixNano`]: ['number'] },
  }
}

/** Routes of OpenTelemetry's protocol. */
export const otlpRoutes: readonly Route[] = [
  { path: '/v1/traces', ...receives, ...traces() },
  { path: '/api/public/otel/v1/traces', ...receives, ...traces() },
  {
    path: '/v1/logs',
    ...receives,
    body: {
      resourceLogs: [
        {
          scopeLogs: [{ logRecords: [{ eventName: 'other', traceId: 'none', body: { stringValue: 'x' } }] }],
        },
      ],
    },
  },
  {
    path: '/v1/metrics',
    ...receives,
    body: {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'requests' }] }] }],
    },
  },
]
