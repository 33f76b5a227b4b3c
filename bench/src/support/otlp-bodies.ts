import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** A request as an exporter sends it, and its id of the trace in the encoding of the request. */
export interface OtlpBody {
  bytes: Buffer
  traceId: Buffer
  contentType: string
}

const text = 'The gauge on the north pier showed a slow rise through the night and fell again at dawn. '

/** Five spans: an agent with a search and three calls of a model. JSON has about 9 KB. */
function recordSpans(provider: TracerProvider, spans: number): string {
  const tracer = provider.getTracer('bench', '1.0.0')
  const root = tracer.startSpan('agent')
  root.setAttributes({
    'gen_ai.operation.name': 'invoke_agent',
    'session.id': 'session-1',
    'user.id': 'user-1',
  })
  const parent = trace.setSpanContext(ROOT_CONTEXT, root.spanContext())
  for (let number = 1; number < spans; number++) {
    const span = tracer.startSpan(`chat ${number}`, {}, parent)
    span.setAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.usage.input_tokens': 200 + number,
      'gen_ai.usage.output_tokens': 80,
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: text.repeat(6) }] },
      ]),
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'text', content: text.repeat(8) }] },
      ]),
    })
    span.end()
  }
  root.end()
  return root.spanContext().traceId
}

/** Records the request body that an exporter sends for one trace. `spans` is the number of its spans. */
export async function recordBody(kind: 'json' | 'protobuf', spans = 5): Promise<OtlpBody> {
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    bodies.push(Buffer.concat(parts))
    response.setHeader('content-type', request.headers['content-type'] ?? '').end(kind === 'json' ? '{}' : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  const exporter = kind === 'json' ? new JsonExporter({ url }) : new ProtobufExporter({ url })
  const provider = new TracerProvider({
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxExportBatchSize: spans, maxQueueSize: 2 * spans }),
    ],
  })
  const id = recordSpans(provider, spans)
  await provider.shutdown()
  server.close()
  const [bytes = Buffer.alloc(0)] = bodies
  return {
    bytes,
    traceId: kind === 'json' ? Buffer.from(id) : Buffer.from(id, 'hex'),
    contentType: kind === 'json' ? 'application/json' : 'application/x-protobuf',
  }
}
