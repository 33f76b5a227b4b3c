import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { VendorName } from '@cairn/contract'
import { parseEncryptionKey } from '../lib/secret-box.ts'

// Each parser throws a plain Error that describes the expected value.

export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }
}

export function flag(text: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new Error('must be true or false')
}

export function oneOf<T extends string>(...values: T[]) {
  return (text: string): T => {
    const value = values.find((candidate) => candidate === text)
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return value
  }
}

export function url(...protocols: string[]) {
  return (text: string): string => {
    const protocol = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined
    if (!protocol || !protocols.includes(protocol)) {
      throw new Error(`must be a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}`)
    }
    return text
  }
}

export function host(text: string): string {
  if (!/^[a-zA-Z0-9.:_-]+$/.test(text)) throw new Error('must be a host name or an IP address')
  return text
}

export function folder(text: string): string {
  if (text.startsWith('~/')) return resolve(homedir(), text.slice(2))
  return isAbsolute(text) ? text : resolve(process.cwd(), text)
}

export function adminToken(text: string): string {
  if (text.length < 16) throw new Error('must have at least 16 characters')
  if (/[^\x21-\x7e]/.test(text)) throw new Error('must consist of printable ASCII characters without spaces')
  return text
}

export function encryptionKey(text: string): Buffer {
  const key = parseEncryptionKey(text)
  if (!key)
    throw new Error('must be 32 bytes as base64 or as 64 hexadecimal characters (openssl rand -base64 32)')
  return key
}

export function seconds(text: string): number[] {
  const list = text.split(',').map((part) => part.trim())
  if (list.length > 50 || list.some((part) => !/^\d{1,7}$/.test(part) || Number(part) < 1)) {
    throw new Error('must be up to 50 whole numbers of seconds, at least 1, comma-separated')
  }
  return list.map(Number)
}

export function origins(text: string): '*' | string[] {
  if (text === '*') return '*'
  const list = text.split(',').map((part) => part.trim())
  const wrong = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part)
  if (wrong !== undefined) throw new Error(`must be * or origins like https://example.com, comma-separated`)
  return list
}

/** The JSON key of a service account, in one line, or an API key. */
export function serviceAccountOrKey(text: string): string {
  if (!text.startsWith('{')) return apiKey(text)
  try {
    JSON.parse(text)
  } catch {
    // The message of the parser would contain a part of the key.
    throw new Error('must be the JSON key of a service account, or an API key')
  }
  return text
}

export function apiKey(text: string): string {
  if (/\s/.test(text)) throw new Error('must not contain white space')
  return text
}

/** A model name for requests, and the provider's id of the model. */
export interface NamedModel {
  name: string
  id: string
}

const modelName = /^[^\s,=]{1,200}$/

export function namedModels(text: string): NamedModel[] {
  return text.split(',').map((part) => {
    const [name = '', id = name] = part.split('=', 2).map((side) => side.trim())
    if (modelName.test(name) && modelName.test(id)) return { name, id }
    throw new Error(
      "must be names of models, comma-separated, each with its provider's id if that differs: name=id",
    )
  })
}

/** Providers without embedding models. */
const withoutEmbeddings: readonly string[] = ['anthropic', 'groq'] satisfies VendorName[]

export function embeddingModel(text: string): string {
  const [, provider = ''] = /^([a-z0-9-]+)\/\S{1,200}$/.exec(text) ?? []
  if (provider !== '' && !withoutEmbeddings.includes(provider)) return text
  throw new Error(
    'must be a provider with embeddings, or local, and the name of a model, as openai/text-embedding-3-small',
  )
}

export function rerankModel(text: string): string {
  if (/^(?:cohere|jina|voyage|tei|vllm)\/[^\s,=]{1,200}$/.test(text)) return text
  throw new Error(
    'must be cohere/, jina/, voyage/, tei/ or vllm/ and the name of a model, as cohere/rerank-v3.5',
  )
}

/** A part of a host name, such as a region. */
export function hostPart(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text
  throw new Error('must have small letters, digits and -')
}

export function text(value: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(value)) return value
  throw new Error('must have 1 to 200 printable ASCII characters without white space')
}

export function model(text: string): string {
  if (modelName.test(text)) return text
  throw new Error('must be the name of a model')
}
