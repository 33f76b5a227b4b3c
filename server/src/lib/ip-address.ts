import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Removes port and brackets from `1.2.3.4:80`, `[::1]:80` and `[::1]`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1')
}

/**
 * Parses an address, possibly written by a proxy, to a normal form: lower case, without port, brackets and zone; an
 * IPv4-mapped IPv6 address becomes IPv4. Undefined if the text is not an address, or if a closed socket has none.
 */
export function parseIpAddress(text: string | undefined): string | undefined {
  const address = withoutPort((text ?? '').trim()).replace(/%.*$/, '')
  // ipaddr.js alone would also accept octal and hexadecimal numbers.
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/** Length of the IPv6 prefix of one customer network; a customer owns all addresses in it. */
const networkBits = 64

/** The client behind an address, for rate limits: the address itself, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${networkBits}`)}/${networkBits}`
}
