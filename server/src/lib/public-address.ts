import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether the address is reachable on the internet: not loopback, private, link-local, reserved, mapped and so on. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  // An IPv4-mapped IPv6 address is judged as IPv4.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !isCompatible(parsed)
}

/** The deprecated ::/96, an IPv4 address without a mark; ipaddr.js knows it in dotted form only. */
function isCompatible(parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return parsed instanceof ipaddr.IPv6 && parsed.parts.slice(0, 6).every((part) => part === 0)
}

export type AddressProblem = 'address' | 'private'

export interface UrlRules {
  allowHttp: boolean
  isAllowed: (address: string) => boolean
  base?: URL | undefined
}

/** The host of a URL as the system resolves it: IPv6 without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Names that always mean this machine or its network, whatever DNS returns. */
const localName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/

/** Why an address may not be called, as far as this is known without DNS. */
export function outgoingUrlProblem(
  text: string,
  { allowHttp, isAllowed, base }: UrlRules,
): { reason: AddressProblem; message: string } | undefined {
  if (!URL.canParse(text, base?.href)) return { reason: 'address', message: 'the address must be a URL' }
  const url = new URL(text, base?.href)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return { reason: 'address', message: 'the address must begin with https://' }
  }
  if (url.username !== '' || url.password !== '') {
    return { reason: 'address', message: 'the address must not hold a user name or password' }
  }
  const host = hostOf(url)
  if (isIP(host) !== 0 ? !isAllowed(host) : localName.test(host) && !isAllowed('127.0.0.1')) {
    return { reason: 'private', message: `${host} is no public address; only public addresses are called` }
  }
  return undefined
}
