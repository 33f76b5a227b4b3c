import { CairnError, type Target, type TargetInput, type VersionConfig } from '@cairn/contract'
import { outgoingUrlProblem, type UrlRules } from '../../lib/public-address.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storable } from '../../lib/storable.ts'

/** A target as it is kept: JSON, and the sealed JSON of its headers. */
export interface StoredTarget {
  target: string | null
  target_headers: string | null
}

/** A target with what must not be shown. */
export interface OpenTarget {
  target: Omit<Target, 'header_names'>
  headers: Record<string, string>
}

/** One case on its way to its target. */
export interface CaseCall {
  query: string
  /** Who pays for it. */
  projectId: string
  version: string | null
  timeoutMs: number
}

export interface TargetRules {
  urlRules: UrlRules
  isKnownModel: (name: string) => boolean
  /** Whether there is such a chat in the project. */
  hasChat: (projectId: string, chatId: string) => Promise<boolean>
}

const fieldsOf = {
  default: [],
  chat: ['chat_id'],
  model: ['model', 'prompt', 'temperature', 'max_tokens'],
  http: ['url', 'output_path'],
  builtin: [],
} as const satisfies Record<Target['type'], (keyof Target)[]>

const mostHeaders = 20
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i
const headerValue = /^[\x20-\x7e]{0,4000}$/
/** What the connection itself sets. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|content-type|te|trailer|upgrade|expect)$/i

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers)
  if (entries.length > mostHeaders) refuse(`target.headers must have at most ${mostHeaders} entries`)
  for (const [name, value] of entries) {
    if (!headerName.test(name)) refuse('target.headers must have names of letters, digits and hyphens')
    if (ownHeaders.test(name)) refuse(`target.headers must not hold ${name}, which the connection sets`)
    if (!headerValue.test(value))
      refuse(`target.headers must have values of printable ASCII; that of ${name} is not`)
  }
}

/** A target as it was asked for, without the fields of other types. Throws `invalid_request` or `not_found`. */
export async function checkTarget(
  projectId: string,
  given: TargetInput,
  { urlRules, isKnownModel, hasChat }: TargetRules,
): Promise<OpenTarget> {
  const { type, chat_id, model, url, headers } = given
  if (type === 'chat') {
    if (chat_id == null) refuse('target.chat_id is required by a target of the type chat')
    if (!(await hasChat(projectId, chat_id)))
      throw new CairnError('not_found', 'chat not found: target.chat_id names none of the project')
  }
  if (type === 'model' && model != null && !isKnownModel(model)) {
    refuse('target.model names no model that this server knows')
  }
  if (type === 'http') {
    if (url == null) refuse('target.url is required by a target of the type http')
    const problem = outgoingUrlProblem(url, urlRules)
    if (problem) refuse(`target.url: ${problem.message}`)
    checkHeaders(headers ?? {})
  }
  const names = fieldsOf[type]
  const kept = names.filter((name) => given[name] != null).map((name) => [name, clean(given[name])])
  return { target: { type, ...Object.fromEntries(kept) }, headers: (type === 'http' && headers) || {} }
}

function clean(value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value
}

/** `place` is the id of the suite or run that it belongs to. */
export function storeTarget({ target, headers }: OpenTarget, box: SecretBox, place: string) {
  const names = Object.keys(headers)
  const shown = names.length > 0 ? { ...target, header_names: names } : target
  return {
    target: JSON.stringify(shown),
    target_headers: names.length > 0 ? box.seal(JSON.stringify(headers), place) : null,
  }
}

/** Undefined without a target. Throws SecretBoxError. */
export function openTarget(stored: StoredTarget, box: SecretBox, place: string): OpenTarget | undefined {
  if (stored.target === null) return undefined
  const { header_names: _, ...target } = JSON.parse(stored.target) as Target
  const sealed = stored.target_headers
  const headers = sealed === null ? {} : (JSON.parse(box.open(sealed, place)) as Record<string, string>)
  return { target, headers }
}

/** What a version says about a model call, as fields of a target. */
export function ofVersion(config: VersionConfig | null | undefined): Partial<Target> {
  const { model, prompt, temperature, max_tokens } = config ?? {}
  return {
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
  }
}
