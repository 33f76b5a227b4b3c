import { type TProperties, Type } from 'typebox'

const Anything = Type.Object({}, { additionalProperties: true })

/** The bodies have the form of OpenTelemetry, in JSON or protobuf. `limits` and the server's decoder check them. */
function request<T extends TProperties>(name: string, properties: T) {
  return Type.Object(properties, {
    additionalProperties: true,
    description: `an ${name} of OpenTelemetry; Content-Encoding may be gzip`,
  })
}

export const OtlpTraces = request('ExportTraceServiceRequest', {
  resourceSpans: Type.Optional(Type.Array(Anything)),
})
export const OtlpLogs = request('ExportLogsServiceRequest', {
  resourceLogs: Type.Optional(Type.Array(Anything)),
})
export const OtlpMetrics = request('ExportMetricsServiceRequest', {
  resourceMetrics: Type.Optional(Type.Array(Anything)),
})

export const OtlpAnswer = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        { errorMessage: Type.Optional(Type.String()) },
        {
          additionalProperties: true,
          description:
            'rejectedSpans, rejectedLogRecords or rejectedDataPoints, and the reason; absent if everything was accepted',
        },
      ),
    ),
  },
  { description: 'in the encoding of the request' },
)

/** google.rpc.Status: an error, in the encoding of the request. */
export const OtlpStatus = Type.Object({ code: Type.Integer(), message: Type.String() })
