import { BlockList, isIP } from 'node:net'
import { parseIpAddress } from './ip-address.ts'

/**
 * Whether to trust the forwarding headers of the peer at this address. Hop 0 is the peer of the server's own socket.
 */
export type TrustedProxies = (address: string | undefined, hop: number) => boolean

/** Names of networks, as in Express and Fastify. */
const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

const maxHops = 32
const wanted = `must be how many proxies stand in front, at least 1 and at most ${maxHops} (true means 1); or their addresses and networks, comma-separated, such as 10.0.0.0/8 (prefixes of at least /1) or loopback, linklocal, uniquelocal; or false`

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits, ...more] = network.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  const prefix = bits === undefined ? most : Number(bits)
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && prefix >= 1 && prefix <= most)
  if (isIP(address) === 0 || !isPrefix || more.length > 0) {
    throw new Error(`${wanted}; ${network || 'an empty entry'} is none of these`)
  }
  list.addSubnet(address, prefix, familyOf(address))
}

function trustNetworks(text: string): TrustedProxies {
  const list = new BlockList()
  const networks = text.split(',').map((part) => part.trim())
  for (const network of networks.flatMap((name) => namedNetworks.get(name) ?? name)) addNetwork(list, network)
  return (text) => {
    const address = parseIpAddress(text)
    return address !== undefined && list.check(address, familyOf(address))
  }
}

/** Undefined trusts no proxy. Throws a plain Error that describes the expected value. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false') return undefined
  if (text !== 'true' && !/^\d+$/.test(text)) return trustNetworks(text)
  // Earlier entries of X-Forwarded-For can be forged, so a number trusts only that many of the nearest hops, and `true`
  // only one.
  const hops = text === 'true' ? 1 : Number(text)
  if (hops < 1 || hops > maxHops) throw new Error(wanted)
  return (_, hop) => hop < hops
}
