import { CairnError, problemOfHeader, type SetProvider } from '@cairn/contract'
import { extractiveModel } from '../../models/catalogue.ts'

const modelName = /^[^\s,=\p{Cc}]+$/u
const keyForm = /^[\x21-\x7e]+$/
const maxHeaders = 20

export function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** Checks the characters of a key, because the key becomes a header. */
export function checkKey(key: string): void {
  if (!keyForm.test(key)) reject('api_key must be printable ASCII characters without white space')
}

/**
 * Validates the address of a provider and returns it without a trailing slash. The scheme http and private addresses are
 * allowed: the administrator controls the machine, and a provider such as Ollama may run on it.
 * @throws `invalid_request`
 */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : reject('base_url must be a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    reject('base_url must start with http:// or https://')
  }
  if (url.username || url.password) reject('base_url must not contain a user name or password; use api_key')
  if (url.search || url.hash) reject('base_url must not have a query or fragment')
  return url.href.replace(/\/$/, '')
}

/** Checks additional headers, and returns them; undefined if there are none. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) reject(`headers must have at most ${maxHeaders} headers`)
  for (const [name, value] of entries) {
    const problem = problemOfHeader(name, value)
    if (problem) reject(`headers: ${problem}`)
  }
  return entries.length > 0 ? { ...headers } : undefined
}

export function checkModels(models: NonNullable<SetProvider['models']>): { name: string; id: string }[] {
  const named = models.map(({ name, id }) => ({ name: name.trim(), id: (id ?? name).trim() }))
  for (const [index, { name, id }] of named.entries()) {
    if (!modelName.test(name)) reject(`models[${index}].name must have no white space, comma or =`)
    if (!modelName.test(id)) reject(`models[${index}].id must have no white space, comma or =`)
    if (name === extractiveModel)
      reject(`models[${index}].name is reserved for the built-in model; choose another name`)
    if (named.findIndex((other) => other.name === name) !== index)
      reject(`models contains the name ${name} twice`)
  }
  return named
}

/** The last four characters of a key; null for a short key, because they would disclose too much of it. */
export function last4Of(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null
}

/** Whether two base addresses have the same origin; null means the provider's default address. */
export function isSameServer(a: string | null, b: string | null): boolean {
  const originOf = (url: string | null) => (url === null ? null : new URL(url).origin)
  return originOf(a) === originOf(b)
}
