import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { currentTenant } from './current-work.ts'
import { FairQueue } from './fair-queue.ts'

interface Address {
  address: string
  family: number
}

/** Returns the addresses of a host, or fails with the code of a system error, such as ENOTFOUND. */
export type HostLookup = (host: string) => Promise<Address[]>

interface HostLookupOptions {
  /** Name servers, as `address:port`; default: the name servers of the operating system. */
  servers?: readonly string[]
  /** The lookup by the operating system; tests replace it. */
  bySystem?: HostLookup
}

/** Time limit of a query in milliseconds, which doubles with each try. */
const query = { timeout: 1_000, tries: 2 }
/** The system looks up two names at a time. The second place stays free for the addresses of model providers. */
const systemWidth = 1
const maxWaiting = 20

const hostsFile =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts'

/** Whether the answer of the operating system needs no name server. */
async function isLocalName(host: string): Promise<boolean> {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  return text.split(/\r?\n/).some((line) => line.replace(/#.*/, '').split(/\s+/).slice(1).includes(host))
}

/**
 * Creates the lookup of host names that tenants choose. A name whose servers never answer delays only its own tenant: most
 * queries use sockets, so any number can wait. The lookup of the operating system blocks one of few threads. It is used
 * only for names without an answer (search domains, other name services), and the tenants share it fairly.
 */
export function createHostLookup({ servers, bySystem }: HostLookupOptions = {}): HostLookup {
  const resolver = new Resolver(query)
  if (servers) resolver.setServers(servers)
  const askSystem = bySystem ?? ((host) => lookup(host, { all: true }))
  const system = new FairQueue({
    width: systemWidth,
    maxWaiting,
    refusal: () => Object.assign(new Error('too many host names wait'), { code: 'EAI_AGAIN' }),
  })
  const askServers = async (host: string): Promise<Address[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    return found.map((address) => ({ address, family: isIP(address) }))
  }
  return async (given) => {
    const host = given.toLowerCase().replace(/\.$/, '')
    const found = (await isLocalName(host)) ? [] : await askServers(host)
    return found.length > 0 ? found : system.run(currentTenant(), () => askSystem(host))
  }
}
