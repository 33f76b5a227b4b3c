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

/** What an administrator says about an application, checked. */
export interface Registration {
  appName: string
  issuer: string
  audiences: string[]
  algorithms: TokenAlgorithm[]
  jwksUri: string | null
}

const mostEntries = 100
const entryLength = 2_000

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** Checks the fields of a registration form; `allowHttp` lets every address be http, for development. */
export function checkRegistration(fields: Record<string, string>, allowHttp: boolean): Registration {
  const { app_name: appName, issuer, allowed_audiences: audiences } = fields
  if (appName === undefined) refuse('app_name is required')
  if (!Check(Name, appName)) {
    refuse('app_name must have 1 to 200 characters, not be blank, nor hold control characters')
  }
  if (issuer === undefined) refuse('issuer is required')
  if (audiences === undefined) refuse('allowed_audiences is required')
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
    refuse('jwks_uri must be left out when the issuer is DYNAMIC: each issuer has its own')
  return checkUrl('jwks_uri', jwksUri, allowHttp)
}

/** An address that an administrator names: https, or http on this machine. */
export function checkUrl(field: string, text: string, allowHttp: boolean): string {
  if (text.length > entryLength || !URL.canParse(text)) {
    refuse(`${field} must be a URL such as https://login.example.com`)
  }
  const url = new URL(text)
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (allowHttp || isLocal))) {
    refuse(`${field} must begin with https:// (http:// only on this machine)`)
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    refuse(`${field} must not hold a user name, a password or a fragment`)
  }
  return text
}

export function checkAlgorithms(names: readonly string[]): TokenAlgorithm[] {
  const algorithms = names.map((name) => {
    const known = tokenAlgorithms.find((algorithm) => algorithm === name)
    return (
      known ?? refuse(`alg_allowlist names ${name.slice(0, 40)}; it may hold ${tokenAlgorithms.join(', ')}`)
    )
  })
  return [...new Set(algorithms)]
}

function textList(field: string, text: string): string[] {
  const list = parse(text)
  const isList = Array.isArray(list) && list.length > 0 && list.length <= mostEntries
  if (!isList || !list.every((one) => typeof one === 'string' && one !== '' && one.length <= entryLength)) {
    refuse(`${field} must be a JSON array of 1 to ${mostEntries} texts, such as ["my-client-id"]`)
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
