/** Scripted answers in the formats of the providers, according to their public API references. */

/** A vector of 8 numbers, computed from the words of a text; texts with common words have similar vectors. */
export function embeddingOf(text: string, dimensions = 8): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  return vector
}

function vectorsOf(texts: readonly string[], dimensions: number | undefined): number[][] {
  return texts.map((text) => embeddingOf(text, dimensions))
}

export function openaiEmbeddings(body: { input: string[]; model: string; dimensions?: number }): object {
  const vectors = vectorsOf(body.input, body.dimensions)
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: body.model,
    usage: { prompt_tokens: body.input.length, total_tokens: body.input.length },
  }
}

type GoogleContent = { content: { parts: { text: string }[] }; outputDimensionality?: number }

const googleText = ({ content }: GoogleContent) => content.parts.map(({ text }) => text).join('')

export function googleEmbeddings(body: { requests: GoogleContent[] } | GoogleContent): object {
  if (!('requests' in body)) {
    return { embedding: { values: embeddingOf(googleText(body), body.outputDimensionality) } }
  }
  const embeddings = body.requests.map((request) => ({
    values: embeddingOf(googleText(request), request.outputDimensionality),
  }))
  return { embeddings }
}

export interface Tokens {
  prompt: number
  completion: number
}

/** The format of a provider: events of a stream, and a complete body. */
export interface Wire<Event extends string | Buffer = string> {
  /** The events before, around and after the texts, such as the lines of one server-sent event. */
  begin(tokens: Tokens): Event[]
  text(text: string): Event
  end(tokens: Tokens | undefined): Event[]
  /** An error event. */
  error: Event
  whole(text: string, tokens: Tokens): object
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { type: string; [field: string]: unknown }) => `event: ${value.type}\n${data(value)}`

const openaiUsage = ({ prompt, completion }: Tokens) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})
const chunk = (rest: object) =>
  data({ id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'stub', ...rest })
const delta = (delta: object, finish_reason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta, finish_reason }] })

export const openaiWire: Wire = {
  begin: () => [delta({ role: 'assistant', content: '' })],
  text: (content) => delta({ content }),
  end: (tokens) => [
    delta({}, 'stop'),
    ...(tokens ? [chunk({ choices: [], usage: openaiUsage(tokens) })] : []),
    'data: [DONE]\n\n',
  ],
  error: data({
    error: { message: 'The server had an error', type: 'server_error', code: null, param: null },
  }),
  whole: (content, tokens) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'stub',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: openaiUsage(tokens),
  }),
}

const responseId = { id: 'r1', object: 'response', created_at: 1_700_000_000, model: 'stub' }
const responseItem = (text: string) => ({
  type: 'message',
  id: 'm1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const responsesUsage = ({ prompt, completion }: Tokens) => ({
  input_tokens: prompt,
  output_tokens: completion,
  total_tokens: prompt + completion,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
})

/** The responses API of OpenAI, which newer clients call by default. */
export const responsesWire: Wire = {
  begin: () => [
    event({ type: 'response.created', response: { ...responseId, status: 'in_progress', output: [] } }),
    event({
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...responseItem(''), status: 'in_progress', content: [] },
    }),
  ],
  text: (delta) =>
    event({ type: 'response.output_text.delta', item_id: 'm1', output_index: 0, content_index: 0, delta }),
  end: (tokens) => [
    event({ type: 'response.output_item.done', output_index: 0, item: responseItem('') }),
    event({
      type: 'response.completed',
      response: { ...responseId, status: 'completed', ...(tokens && { usage: responsesUsage(tokens) }) },
    }),
    'data: [DONE]\n\n',
  ],
  error: event({ type: 'error', code: 'server_error', message: 'The server had an error', param: null }),
  whole: (text, tokens) => ({
    ...responseId,
    status: 'completed',
    output: [responseItem(text)],
    usage: responsesUsage(tokens),
  }),
}

const claude = { id: 'm1', type: 'message', role: 'assistant', model: 'stub', stop_sequence: null }

export const anthropicWire: Wire = {
  begin: ({ prompt }) => [
    event({
      type: 'message_start',
      message: {
        ...claude,
        content: [],
        stop_reason: null,
        usage: { input_tokens: prompt, output_tokens: 1 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'ping' }),
  ],
  text: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  end: (tokens) => [
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: tokens?.completion ?? 0 },
    }),
    event({ type: 'message_stop' }),
  ],
  error: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  whole: (text, { prompt, completion }) => ({
    ...claude,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: prompt, output_tokens: completion },
  }),
}

const geminiUsage = ({ prompt, completion }: Tokens) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: completion,
  totalTokenCount: prompt + completion,
})
const candidate = (text: string, rest = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...rest }],
  modelVersion: 'stub',
})

export const googleWire: Wire = {
  begin: () => [],
  text: (text) => data(candidate(text)),
  end: (tokens) => [
    data({
      ...candidate('', { finishReason: 'STOP' }),
      ...(tokens && { usageMetadata: geminiUsage(tokens) }),
    }),
  ],
  error: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  whole: (text, tokens) => ({
    ...candidate(text, { finishReason: 'STOP' }),
    usageMetadata: geminiUsage(tokens),
  }),
}
