import { createHash, createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { embeddingOf, openaiWire, type Tokens, type Wire } from './provider-wire.ts'

/** Scripted answers in the formats of Mistral, Groq, Cohere, Amazon Bedrock and Vertex AI, according to their public API references. */

const lastChunk = (rest: object) => {
  const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }]
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'stub', choices, ...rest })}\n\n`
}
const openaiUsage = (tokens: Tokens) => ({
  prompt_tokens: tokens.prompt,
  completion_tokens: tokens.completion,
  total_tokens: tokens.prompt + tokens.completion,
})

/** OpenAI's format, but the usage is in the chunk with the finish reason. */
export const mistralWire: Wire = {
  ...openaiWire,
  end: (tokens) => [lastChunk(tokens ? { usage: openaiUsage(tokens) } : {}), 'data: [DONE]\n\n'],
}

/** OpenAI's format, but the usage is in a field of Groq. */
export const groqWire: Wire = {
  ...openaiWire,
  end: (tokens) => [
    lastChunk(tokens ? { x_groq: { id: 'g1', usage: openaiUsage(tokens) } } : {}),
    'data: [DONE]\n\n',
  ],
}

const cohereUsage = (tokens: Tokens) => ({
  billed_units: { input_tokens: tokens.prompt, output_tokens: tokens.completion },
  tokens: { input_tokens: tokens.prompt, output_tokens: tokens.completion },
})
const cohereEvent = (value: { type: string; [field: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

export const cohereWire: Wire = {
  begin: () => [
    cohereEvent({ type: 'message-start', id: 'c1', delta: { message: { role: 'assistant', content: [] } } }),
    cohereEvent({
      type: 'content-start',
      index: 0,
      delta: { message: { content: { type: 'text', text: '' } } },
    }),
  ],
  text: (text) => cohereEvent({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } }),
  end: (tokens) => [
    cohereEvent({ type: 'content-end', index: 0 }),
    cohereEvent({
      type: 'message-end',
      delta: { finish_reason: 'COMPLETE', usage: cohereUsage(tokens ?? { prompt: 0, completion: 0 }) },
    }),
    'data: [DONE]\n\n',
  ],
  error: 'data: {"message":"internal server error"}\n\n',
  whole: (text, tokens) => ({
    id: 'c1',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    usage: cohereUsage(tokens),
  }),
}

export function cohereEmbeddings({
  texts,
  output_dimension,
}: {
  texts: string[]
  output_dimension?: number
}) {
  const float = texts.map((text) => embeddingOf(text, output_dimension))
  return { id: 'e1', embeddings: { float }, texts, meta: { billed_units: { input_tokens: texts.length } } }
}

export function vertexEmbeddings({
  instances,
  parameters,
}: {
  instances: { content: string }[]
  parameters?: { outputDimensionality?: number }
}) {
  const predictions = instances.map(({ content }) => ({
    embeddings: {
      values: embeddingOf(content, parameters?.outputDimensionality),
      statistics: { token_count: 1, truncated: false },
    },
  }))
  return { predictions }
}

export function titanEmbedding({ inputText, dimensions }: { inputText: string; dimensions?: number }) {
  return { embedding: embeddingOf(inputText, dimensions), inputTextTokenCount: 1 }
}

const stringType = 7

/** A frame of Amazon's event streams: lengths with their checksum, headers, payload, and the checksum of all. */
export function frame(headers: Record<string, string>, payload: object | string): Buffer {
  const encoded = Object.entries(headers).map(([name, value]) => {
    const [key, text] = [Buffer.from(name), Buffer.from(value)]
    const size = Buffer.alloc(2)
    size.writeUInt16BE(text.length)
    return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([stringType]), size, text])
  })
  const head = Buffer.concat(encoded)
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  const bytes = Buffer.alloc(16 + head.length + body.length)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(head.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  head.copy(bytes, 12)
  body.copy(bytes, 12 + head.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

function bedrockEvent(type: string, payload: object): Buffer {
  return frame(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  )
}

const bedrockUsage = ({ prompt, completion }: Tokens) => ({
  inputTokens: prompt,
  outputTokens: completion,
  totalTokens: prompt + completion,
})

/** The Converse API of Amazon Bedrock, whose streams are binary. */
export const bedrockWire: Wire<Buffer> = {
  begin: () => [bedrockEvent('messageStart', { role: 'assistant', p: 'abcd' })],
  text: (text) => bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'ab' }),
  end: (tokens) => [
    bedrockEvent('contentBlockStop', { contentBlockIndex: 0 }),
    bedrockEvent('messageStop', { stopReason: 'end_turn' }),
    ...(tokens ? [bedrockEvent('metadata', { usage: bedrockUsage(tokens), metrics: { latencyMs: 5 } })] : []),
  ],
  error: frame(
    { ':exception-type': 'throttlingException', ':message-type': 'exception' },
    { message: 'Too many requests' },
  ),
  whole: (text, tokens) => ({
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason: 'end_turn',
    usage: bedrockUsage(tokens),
    metrics: { latencyMs: 5 },
  }),
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

interface SignedRequest {
  path: string
  headers: Record<string, string>
  body: string
}

/**
 * The signature that a request must have, computed from AWS's description of Signature Version 4 with the secret and the
 * headers that the request names as signed.
 */
export function awsSignature({ path, headers, body }: SignedRequest, secret: string): string {
  const { authorization = '' } = headers
  const [, scope = ''] = /Credential=[^/]+\/([^,]+)/.exec(authorization) ?? []
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
  const [day = '', region = '', service = ''] = scope.split('/')
  const signedHeaders = names.split(';').map((name) => `${name}:${headers[name]?.trim()}\n`)
  // The path is encoded a second time.
  const encodedPath = path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')
  const canonical = ['POST', encodedPath, '', signedHeaders.join(''), names, sha256(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, toSign).toString('hex')
}
