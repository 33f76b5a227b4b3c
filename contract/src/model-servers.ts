import { vendorNames } from './models.ts'

const serverName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
/** Prefixes of model names that mean something else, and a name that every object of JavaScript has. */
const reserved: ReadonlySet<string> = new Set([...vendorNames, 'cairn', 'local', 'none', 'constructor'])
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Headers that describe the request itself. */
const ownHeaders = /^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|content-.*)$/i

/** The reason why a server with OpenAI's API cannot have a name; undefined if it can. */
export function problemOfServerName(name: string): string | undefined {
  if (reserved.has(name)) return `${name} is reserved; choose another name`
  if (serverName.test(name)) return undefined
  return 'a name of a server has 1 to 40 small letters, digits and -, and does not begin or end with -'
}

/** The reason why a header cannot be sent; undefined if it can. */
export function problemOfHeader(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return 'a name of a header has letters, digits and -'
  if (ownHeaders.test(name)) return `the header ${name} cannot be set`
  return /^[\x20-\x7e]*$/.test(value) ? undefined : `the header ${name} must be printable ASCII`
}
