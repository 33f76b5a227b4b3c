import { CairnError, type SetProvider } from '@cairn/contract'
import { extractiveModel } from '../../models/catalogue.ts'

const modelName = /^[^\s,=\p{Cc}]+$/u
const keyForm = /^[\x21-\x7e]+$/

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** A key goes into a header as it is. */
export function checkKey(key: string): void {
  if (!keyForm.test(key)) refuse('api_key must be printable ASCII characters without white space')
}

/**
 * http and private addresses are allowed: who holds the admin token owns the machine, and Ollama listens on it.
 * Answers the address without what cannot be part of a base.
 */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : refuse('base_url must be a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    refuse('base_url must start with http:// or https://')
  }
  if (url.username || url.password) refuse('base_url must not hold a user name or password; use api_key')
  if (url.search || url.hash) refuse('base_url must not have a query or fragment')
  return url.href.replace(/\/$/, '')
}

export function checkModels(models: NonNullable<SetProvider['models']>): { name: string; id: string }[] {
  const named = models.map(({ name, id }) => ({ name: name.trim(), id: (id ?? name).trim() }))
  for (const [index, { name, id }] of named.entries()) {
    if (!modelName.test(name)) refuse(`models[${index}].name must have no white space, comma or =`)
    if (!modelName.test(id)) refuse(`models[${index}].id must have no white space, comma or =`)
    if (name === extractiveModel) refuse(`models[${index}].name is that of the built-in answerer`)
    if (named.findIndex((other) => other.name === name) !== index) refuse(`models names ${name} twice`)
  }
  return named
}

/** The last characters of a key; none of one so short that they would give it away. */
export function last4Of(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null
}

export function isSameServer(a: string | null, b: string | null): boolean {
  const originOf = (url: string | null) => (url === null ? null : new URL(url).origin)
  return originOf(a) === originOf(b)
}
