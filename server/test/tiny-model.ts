import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/* Writes models of a few hundred bytes in ONNX's format, with tokenizers of single words. */

/** A message of protocol buffers: `[field number, value]`; a number is a varint, a list of floats is packed. */
type Field = readonly [number: number, value: number | string | Uint8Array | Float32Array | readonly Field[]]

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

function bytesOf(value: Exclude<Field[1], number>): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value)
  if (value instanceof Float32Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof Uint8Array ? value : message(value)
}

function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.from([...varint(8 * number), ...varint(value)])
      const bytes = bytesOf(value)
      return Buffer.concat([Buffer.from([...varint(8 * number + 2), ...varint(bytes.length)]), bytes])
    }),
  )
}

const [float, int64] = [1, 7]

/** A tensor of the shape `words` × `size`. */
function table(name: string, rows: readonly (readonly number[])[]): readonly Field[] {
  const size = rows[0]?.length ?? 0
  return [
    [1, rows.length],
    [1, size],
    [2, float],
    [8, name],
    [9, Float32Array.from(rows.flat())],
  ]
}

/** An input or output; names of dimensions are free. */
function port(name: string, type: number, ...dimensions: (string | number)[]): readonly Field[] {
  const shape = dimensions.map((size): Field => [1, [typeof size === 'number' ? [1, size] : [2, size]]])
  return [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, type],
            [2, shape],
          ],
        ],
      ],
    ],
  ]
}

function node(type: string, inputs: string[], output: string, ...attributes: Field[]): Field {
  return [1, [...inputs.map((name): Field => [1, name]), [2, output], [4, type], ...attributes]]
}

/** An integer attribute of a node. */
const attribute = (name: string, value: number): Field => [
  5,
  [
    [1, name],
    [3, value],
    [20, 2],
  ],
]

const inputs = ['input_ids', 'attention_mask', 'token_type_ids']

function model(nodes: Field[], initializer: readonly Field[], output: readonly Field[]): Uint8Array {
  const graph: Field[] = [
    ...nodes,
    [2, 'tiny'],
    [5, initializer],
    ...inputs.map((name): Field => [11, port(name, int64, 'batch', 'sequence')]),
    [12, output],
  ]
  return message([
    [1, 8],
    [7, graph],
    [
      8,
      [
        [1, ''],
        [2, 13],
      ],
    ],
  ])
}

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

/** Splits into words; unknown words are one token. */
function tokenizer(words: readonly string[]): object {
  const vocab = Object.fromEntries([...special, ...words].map((word, id) => [word, id]))
  const token = (content: string, id: number) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  const of = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
  const text = (id: string, type_id: number) => ({ Sequence: { id, type_id } })
  return {
    version: '1.0',
    added_tokens: special.map(token),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [of('[CLS]', 0), text('A', 0), of('[SEP]', 0)],
      pair: [of('[CLS]', 0), text('A', 0), of('[SEP]', 0), text('B', 1), of('[SEP]', 1)],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  }
}

async function write(
  folder: string,
  architecture: string,
  words: readonly string[],
  onnx: Uint8Array,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const files = {
    'config.json': { architectures: [architecture] },
    'tokenizer.json': tokenizer(words),
    'tokenizer_config.json': { model_max_length: 16, tokenizer_class: 'BertTokenizer' },
  }
  for (const [name, value] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(value))
  await writeFile(join(folder, 'model.onnx'), onnx)
}

/** An embedding model that looks up the vector of each word. Special and unknown words have the vector 0. */
export async function writeTinyEmbedding(
  folder: string,
  vectors: Record<string, readonly number[]>,
): Promise<void> {
  const size = Object.values(vectors)[0]?.length ?? 0
  const zeros = special.map(() => Array<number>(size).fill(0))
  const lookUp = node('Gather', ['vectors', 'input_ids'], 'last_hidden_state')
  const output = port('last_hidden_state', float, 'batch', 'sequence', size)
  const onnx = model([lookUp], table('vectors', [...zeros, ...Object.values(vectors)]), output)
  await write(folder, 'BertModel', Object.keys(vectors), onnx)
}

/** A cross-encoder whose score is the highest weight among the words of the passage. */
export async function writeTinyRanker(folder: string, weights: Record<string, number>): Promise<void> {
  const rows = [...special.map(() => [0]), ...Object.values(weights).map((weight) => [weight])]
  const onnx = model(
    [
      node('Gather', ['weights', 'input_ids'], 'every'),
      node('Cast', ['token_type_ids'], 'types', attribute('to', float)),
      node('Shape', ['types'], 'shape'),
      node('Reshape', ['every', 'shape'], 'square'),
      node('Mul', ['square', 'types'], 'passage'),
      node('ReduceMax', ['passage'], 'logits', [
        5,
        [
          [1, 'axes'],
          [8, 1],
          [20, 7],
        ],
      ]),
    ],
    table('weights', rows),
    port('logits', float, 'batch', 1),
  )
  await write(folder, 'BertForSequenceClassification', Object.keys(weights), onnx)
}
