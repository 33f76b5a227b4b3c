import { Tokenizer } from '@huggingface/tokenizers'
import type { InferenceSession, Tensor } from 'onnxruntime-web'
import type { ModelFiles } from './folder.ts'

/* Functions of the process that runs a local model. It has one model, which `load` sets. */

interface Loaded extends Pick<ModelFiles, 'maxTokens' | 'pooling'> {
  tokenizer: Tokenizer
  session: InferenceSession
  tensor: (numbers: readonly number[], rows: number) => Tensor
}

interface Encoded {
  ids: readonly number[]
  types: readonly number[]
}

/** The state of the process, which has one model for its whole life. */
const running: { model?: Loaded } = {}

/** Characters of a text that are read per token, because tokenizing a long text takes long. */
const charactersPerToken = 20

/** Must be called before the other functions. */
export async function load({ onnx, tokenizer, tokenizerConfig, ...rest }: ModelFiles): Promise<void> {
  const { InferenceSession, Tensor, env } = await import('onnxruntime-web')
  // The process has no threads.
  env.wasm.numThreads = 1
  running.model = {
    ...rest,
    tokenizer: new Tokenizer(JSON.parse(tokenizer), JSON.parse(tokenizerConfig)),
    session: await InferenceSession.create(onnx, { executionProviders: ['wasm'] }),
    tensor: (numbers, rows) =>
      new Tensor('int64', BigInt64Array.from(numbers, BigInt), [rows, numbers.length / rows]),
  }
}

function model(): Loaded {
  if (!running.model) throw new Error('the model is not loaded')
  return running.model
}

/** The tokens of a text, or of a pair of texts. If they are too many, the last text is cut. */
function encode({ tokenizer, maxTokens }: Loaded, text: string, pair?: string): Encoded {
  const cut = (part: string) => part.slice(0, charactersPerToken * maxTokens)
  const options = {
    return_token_type_ids: true as const,
    ...(pair !== undefined && { text_pair: cut(pair) }),
  }
  const { ids, token_type_ids: types } = tokenizer.encode(cut(text), options)
  if (ids.length <= maxTokens) return { ids, types }
  // The last token is the separator, which stays.
  const shorten = (numbers: number[]) => [...numbers.slice(0, maxTokens - 1), ...numbers.slice(-1)]
  return { ids: shorten(ids), types: shorten(types) }
}

/** Runs texts of similar length together, filled up to the longest one. */
async function run({ session, tensor }: Loaded, texts: readonly Encoded[]) {
  const width = Math.max(...texts.map(({ ids }) => ids.length))
  const filled = (of: (text: Encoded) => readonly number[]) =>
    tensor(
      texts.flatMap((text) => [...of(text), ...Array<number>(width - of(text).length).fill(0)]),
      texts.length,
    )
  const inputs: Record<string, Tensor> = {
    input_ids: filled(({ ids }) => ids),
    attention_mask: filled(({ ids }) => ids.map(() => 1)),
    token_type_ids: filled(({ types }) => types),
  }
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]]))
  if (Object.values(feeds).includes(undefined)) throw new Error('the model has inputs of an unknown name')
  const results = await session.run(feeds as Record<string, Tensor>)
  const [first] = session.outputNames
  const name = ['last_hidden_state', 'logits', 'token_embeddings'].find((known) => known in results) ?? first
  const output = name === undefined ? undefined : results[name]
  if (!output || !(output.data instanceof Float32Array)) throw new Error('the model has no output of numbers')
  return { data: output.data, dims: output.dims, width }
}

/** One unit vector per text, one after the other. */
export async function embed({ texts }: { texts: readonly string[] }): Promise<Float32Array> {
  const own = model()
  const encoded = texts.map((text) => encode(own, text))
  const { data, dims, width } = await run(own, encoded)
  const [rows, columns, size = 0] = dims
  if (dims.length !== 3 || rows !== texts.length || columns !== width) {
    throw new Error('the model has no vector for each token, so it is no embedding model')
  }
  const vectors = new Float32Array(size * texts.length)
  for (const [row, { ids }] of encoded.entries()) {
    const tokens = own.pooling === 'cls' ? 1 : ids.length
    const vector = vectors.subarray(row * size, (row + 1) * size)
    for (let token = 0; token < tokens; token++) {
      const from = (row * width + token) * size
      for (let at = 0; at < size; at++) vector[at] = (vector[at] as number) + (data[from + at] as number)
    }
    const length = Math.hypot(...vector) || 1
    for (let at = 0; at < size; at++) vector[at] = (vector[at] as number) / length
  }
  return vectors
}

/** One score per passage, 0..1. */
export async function rank({
  query,
  passages,
}: {
  query: string
  passages: readonly string[]
}): Promise<Float32Array> {
  const own = model()
  const { data } = await run(
    own,
    passages.map((passage) => encode(own, query, passage)),
  )
  if (data.length !== passages.length) {
    throw new Error('the model has no single score for each passage, so it is no rerank model')
  }
  return data.map((logit) => 1 / (1 + Math.exp(-logit)))
}
