import { CairnError, type Target, type TargetInput, type VersionConfig } from '@cairn/contract'
import { outgoingUrlProblem, type UrlRules } from '../../lib/public-address.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storable } from '../../lib/storable.ts'

/** A target as stored: JSON, and the encrypted JSON of its headers. */
export interface StoredTarget {
  target: string | null
  target_headers: string | null
}

/** A target with its secret headers. */
export interface OpenTarget {
  target: Omit<Target, 'header_names'>
  headers: Record<string, string>
}

/** The input of a call for one case. */
export interface CaseCall {
  query: string
  /** The project whose budgets the call uses. */
  projectId: string
  version: string | null
  timeoutMs: number
}

export interface TargetRules {
  urlRules: UrlRules
  isKnownModel: (name: string) => boolean
  /** Whether the project has this chat. */
  hasChat: (projectId: string, chatId: string) => Promise<boolean>
}

const fieldsOf = {
  default: [],
  chat: ['chat_id'],
  model: ['model', 'prompt', 'temperature', 'max_tokens'],
  http: ['url', 'output_path'],
  builtin: [],
} as const satisfies Record<Target['type'], (keyof Target)[]>

const maxHeaders = 20
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i
const headerValue = /^[\x20-\x7e]{0,4000}$/
/** Headers that the HTTP client sets. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|content-type|te|trailer|upgrade|expect)$/i

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) reject(`target.headers must have at most ${maxHeaders} entries`)
  for (const [name, value] of entries) {
    if (!headerName.test(name)) reject('target.headers must have names of letters, digits and hyphens')
    if (ownHeaders.test(name)) reject(`target.headers must not contain ${name}, which the HTTP client sets`)
    if (!headerValue.test(value)) reject(`target.headers.${name} must consist of printable ASCII characters`)
  }
}

/**
 * Validates a requested target, and removes the fields of other target types.
 * @throws `invalid_request`, `not_found`
 */
export async function checkTarget(
  projectId: string,
  given: TargetInput,
  { urlRules, isKnownModel, hasChat }: TargetRules,
): Promise<OpenTarget> {
  const { type, chat_id, model, url, headers } = given
  if (type === 'chat') {
    if (chat_id == null) reject('target.chat_id is required by a target of the type chat')
    if (!(await hasChat(projectId, chat_id)))
      throw new CairnError('not_found', 'chat not found: target.chat_id must be a chat of the project')
  }
  if (type === 'model' && model != null && !isKnownModel(model)) {
    reject('target.model is unknown to this server; GET /v1/console/models lists the known models')
  }
  if (type === 'http') {
    if (url == null) reject('target.url is required by a target of the type http')
    const problem = outgoingUrlProblem(url, urlRules)
    if (problem) reject(`target.url: ${problem.message}`)
    checkHeaders(headers ?? {})
  }
  const names = fieldsOf[type]
  const kept = names.filter((name) => given[name] != null).map((name) => [name, clean(given[name])])
  return { target: { type, ...Object.fromEntries(kept) }, headers: (type === 'http' && headers) || {} }
}

function clean(value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value
}

/** Encrypts the headers. `place` is the id of the suite or run, without which they cannot be decrypted. */
export function storeTarget({ target, headers }: OpenTarget, box: SecretBox, place: string) {
  const names = Object.keys(headers)
  const shown = names.length > 0 ? { ...target, header_names: names } : target
  return {
    target: JSON.stringify(shown),
    target_headers: names.length > 0 ? box.seal(JSON.stringify(headers), place) : null,
  }
}

/** Decrypts the headers of a stored target; undefined without a target. Throws SecretBoxError. */
export function openTarget(stored: StoredTarget, box: SecretBox, place: string): OpenTarget | undefined {
  if (stored.target === null) return undefined
  const { header_names: _, ...target } = JSON.parse(stored.target) as Target
  const sealed = stored.target_headers
  const headers = sealed === null ? {} : (JSON.parse(box.open(sealed, place)) as Record<string, string>)
  return { target, headers }
}

/** The config of a version as fields of a target. */
export function ofVersion(config: VersionConfig | null | undefined): Partial<Target> {
  const { model, prompt, temperature, max_tokens } = config ?? {}
  return {
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
  }
}
