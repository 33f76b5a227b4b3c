import {
  CairnError,
  defaultTokenAlgorithms,
  dynamic,
  Name,
  type TokenAlgorithm,
  tokenAlgorithms,
} from '@cairn/contract'
import { Check } from 'typebox/value'
import { parseJsonField } from '../../lib/json/parse.ts'

/** The validated fields of a registration form. */
export interface Registration {
  appName: string
  issuer: string
  audiences: string[]
  algorithms: TokenAlgorithm[]
  jwksUri: string | null
}

const maxEntries = 100
const maxEntryLength = 2_000

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

/**
 * Validates the fields of a registration form. With `allowHttp`, for development, every address may be http.
 * @throws `invalid_request` with the name of the field
 */
export function checkRegistration(fields: Record<string, string>, allowHttp: boolean): Registration {
  const { app_name: appName, issuer, allowed_audiences: audiences } = fields
  if (appName === undefined) reject('app_name is required')
  if (!Check(Name, appName)) {
    reject(
      'app_name must have 1 to 200 characters, must not be blank, and must not contain control characters',
    )
  }
  if (issuer === undefined) reject('issuer is required')
  if (audiences === undefined) reject('allowed_audiences is required')
  const { alg_allowlist: algorithms, jwks_uri: jwksUri } = fields
  return {
    appName: appName.trim(),
    issuer: issuer === dynamic ? dynamic : checkUrl('issuer', issuer, allowHttp),
    audiences: audiences === dynamic ? [dynamic] : textList('allowed_audiences', audiences),
    algorithms: algorithms
      ? checkAlgorithms(textList('alg_allowlist', algorithms))
      : [...defaultTokenAlgorithms],
    jwksUri: jwksUri ? checkKeySetAddress(jwksUri, issuer, allowHttp) : null,
  }
}

function checkKeySetAddress(jwksUri: string, issuer: string, allowHttp: boolean): string {
  if (issuer === dynamic)
    reject('jwks_uri must be omitted if the issuer is DYNAMIC, because each issuer has its own')
  return checkUrl('jwks_uri', jwksUri, allowHttp)
}

/**
 * Validates an address from an administrator: https, or http on this machine.
 * @throws `invalid_request` with the name of the field
 */
export function checkUrl(field: string, text: string, allowHttp: boolean): string {
  if (text.length > maxEntryLength || !URL.canParse(text)) {
    reject(`${field} must be a URL such as https://login.example.com`)
  }
  const url = new URL(text)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (allowHttp || isLocal))) {
    reject(`${field} must begin with https:// (http:// only on this machine)`)
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    reject(`${field} must not contain a user name, a password or a fragment`)
  }
  return text
}

export function checkAlgorithms(names: readonly string[]): TokenAlgorithm[] {
  const algorithms = names.map((name) => {
    const known = tokenAlgorithms.find((algorithm) => algorithm === name)
    return (
      known ??
      reject(`alg_allowlist contains ${name.slice(0, 40)}; it may contain ${tokenAlgorithms.join(', ')}`)
    )
  })
  return [...new Set(algorithms)]
}

function textList(field: string, text: string): string[] {
  const list = parse(text)
  const isList = Array.isArray(list) && list.length > 0 && list.length <= maxEntries
  if (
    !isList ||
    !list.every((one) => typeof one === 'string' && one !== '' && one.length <= maxEntryLength)
  ) {
    reject(`${field} must be a JSON array of 1 to ${maxEntries} texts, such as ["my-client-id"]`)
  }
  return [...new Set(list as string[])]
}

function parse(text: string): unknown {
  try {
    return parseJsonField(text)
  } catch {
    return undefined
  }
}
