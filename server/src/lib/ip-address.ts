import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `1.2.3.4:80`, `[::1]:80` and `[::1]` without port and brackets. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1')
}

/**
 * The address in a text that a proxy may have written, in the one form that it has here: without port, brackets and
 * zone, in lower case, an IPv4 address in IPv6 form as IPv4. Undefined when the text is no address, and for the missing
 * address of a closed socket.
 */
export function parseIpAddress(text: string | undefined): string | undefined {
  const address = withoutPort((text ?? '').trim()).replace(/%.*$/, '')
  // ipaddr.js alone would take octal and hexadecimal numbers, too.
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/** Bits of an IPv6 address that name a customer's network; whoever has one has all addresses in it. */
const networkBits = 64

/** The client behind an address, for limits: the address itself, or for IPv6 its network of 64 bits. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${networkBits}`)}/${networkBits}`
}
