import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The record of a pulled model, in its folder. */
export const recordName = 'cairn-model.json'

export interface PullRecord {
  source: string
  licence: string
  files: Readonly<Record<string, { bytes: number; sha256: string }>>
}

/** A model in a folder of its own. */
export interface InstalledModel {
  /** The name of the folder; requests and settings say `local/` before it. */
  name: string
  folder: string
  kind: 'embedding' | 'rerank'
  /** Undefined for a folder that was not pulled. */
  record: PullRecord | undefined
}

/** The texts and bytes that a process needs to run a model. */
export interface ModelFiles {
  onnx: Uint8Array
  tokenizer: string
  tokenizerConfig: string
  /** Maximum tokens of a text, with the special ones. */
  maxTokens: number
  pooling: 'mean' | 'cls'
}

/** A folder cannot be used as a model. The message is for the administrator. */
export class LocalModelError extends Error {
  override readonly name = 'LocalModelError'
}

const modelName = /^[a-z0-9][a-z0-9._-]{0,99}$/i
/** Paths of the weights, in the order in which they are tried. */
const weights = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx']
/** More tokens than these take too long without a graphics card. */
const mostTokens = 512

type Json = Record<string, unknown>

function readJson(path: string): Json {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null) return value as Json
  } catch {
    // The message below is for a missing, unreadable or invalid file.
  }
  throw new LocalModelError(`${path} is missing, or is not a JSON object`)
}

function readOptional(path: string): Json {
  return existsSync(path) ? readJson(path) : {}
}

function weightsIn(folder: string): string | undefined {
  return weights.map((name) => join(folder, name)).find((path) => existsSync(path))
}

/** The models of a folder that has one sub-folder per model. Other sub-folders are ignored. */
export function installedModels(folder: string): InstalledModel[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => modelName.test(name) && weightsIn(join(folder, name)))
  return names.toSorted().map((name) => inFolder(join(folder, name), name))
}

/** @throws LocalModelError */
function inFolder(folder: string, name: string): InstalledModel {
  const { architectures } = readJson(join(folder, 'config.json'))
  const isClassifier =
    Array.isArray(architectures) && /ForSequenceClassification$/.test(String(architectures[0]))
  const record = join(folder, recordName)
  return {
    name,
    folder,
    kind: isClassifier ? 'rerank' : 'embedding',
    record: existsSync(record) ? (readJson(record) as unknown as PullRecord) : undefined,
  }
}

/** Reads a model. Pulled files must have the checksums that were recorded. @throws LocalModelError */
export async function readModel({ name, folder, record }: InstalledModel): Promise<ModelFiles> {
  const path = weightsIn(folder)
  if (!path) throw new LocalModelError(`the model ${name} has no model.onnx`)
  for (const [file, { sha256 }] of Object.entries(record?.files ?? {})) {
    if ((await checksum(join(folder, file))) === sha256) continue
    throw new LocalModelError(`${file} of the model ${name} has changed since it was pulled; pull it again`)
  }
  const tokenizerConfig = readOptional(join(folder, 'tokenizer_config.json'))
  const sentences = readOptional(join(folder, 'sentence_bert_config.json'))
  const pooling = readOptional(join(folder, '1_Pooling/config.json'))
  return {
    onnx: await readFile(path),
    tokenizer: JSON.stringify(readJson(join(folder, 'tokenizer.json'))),
    tokenizerConfig: JSON.stringify(tokenizerConfig),
    maxTokens: Math.min(
      mostTokens,
      ...[sentences.max_seq_length, tokenizerConfig.model_max_length].map(positive),
    ),
    pooling: pooling.pooling_mode_cls_token === true ? 'cls' : 'mean',
  }
}

function positive(value: unknown): number {
  return typeof value === 'number' && value >= 8 ? value : Number.POSITIVE_INFINITY
}

async function checksum(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}
