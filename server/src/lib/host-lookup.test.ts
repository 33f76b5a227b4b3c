import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFor } from './current-work.ts'
import { createHostLookup } from './host-lookup.ts'

/** The name and the type of a question, and where it ends (RFC 1035, section 4.1.2). */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const known: Record<string, string> = { 'good.test': '192.0.2.7', 'localhost.test': '192.0.2.8' }

/** A response with one A record, or without one: NXDOMAIN for an unknown name. */
function answerTo(query: Buffer): Buffer {
  const { name, type, end } = questionOf(query)
  const address = known[name]
  const isFound = address !== undefined && type === 1
  const head = Buffer.from(query.subarray(0, end))
  head.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(isFound ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4])
  return isFound ? Buffer.concat([head, record, Buffer.from(address.split('.').map(Number))]) : head
}

describe('the lookup of host names', () => {
  let server: Socket
  let asked: string[] = []

  beforeAll(async () => {
    server = createSocket('udp4', (query, from) => {
      const { name } = questionOf(query)
      asked.push(name)
      if (!name.startsWith('silent')) server.send(answerTo(query), from.port, from.address)
    }).bind(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => void server.close())

  const servers = () => [`127.0.0.1:${(server.address() as AddressInfo).port}`]
  const never = () => new Promise<never>(() => {})

  it('asks the name servers, without the operating system', async () => {
    const lookup = createHostLookup({ servers: servers(), bySystem: never })
    expect(await lookup('Good.test.')).toEqual([{ address: '192.0.2.7', family: 4 }])
  })

  it('asks the operating system about names of this machine, and names that the servers do not know', async () => {
    asked = []
    const bySystem = async (host: string) => [{ address: `of ${host}`, family: 4 }]
    const lookup = createHostLookup({ servers: servers(), bySystem })
    expect(await lookup('localhost')).toEqual([{ address: 'of localhost', family: 4 }])
    expect(asked).toEqual([])
    expect(await lookup('service.namespace')).toEqual([{ address: 'of service.namespace', family: 4 }])
    expect(await lookup('localhost.test')).toEqual([{ address: '192.0.2.8', family: 4 }])
  })

  it('names whose servers never answer delay no other name', async () => {
    const lookup = createHostLookup({ servers: servers(), bySystem: never })
    for (let at = 0; at < 50; at++) runFor(['attacker'], () => lookup(`silent-${at}.test`)).catch(() => {})
    expect(await runFor(['other'], () => lookup('good.test'))).toHaveLength(1)
  })

  it('a tenant with many names that only the operating system can look up waits in turn with the others', async () => {
    const order: string[] = []
    const bySystem = async (host: string) => {
      order.push(host)
      return [{ address: '192.0.2.9', family: 4 }]
    }
    const lookup = createHostLookup({ servers: servers(), bySystem })
    const many = Array.from({ length: 10 }, (_, at) => runFor(['attacker'], () => lookup(`${at}.localhost`)))
    await Promise.all([...many, runFor(['other'], () => lookup('mine.localhost'))])
    expect(order.indexOf('mine.localhost')).toBeLessThan(5)
  })

  it('rejects names beyond the limit of one tenant as temporarily unavailable', async () => {
    const lookup = createHostLookup({ servers: servers(), bySystem: never })
    const rejected = Array.from({ length: 30 }, (_, at) => lookup(`${at}.localhost`))
    await expect(Promise.any(rejected.map((each) => each.then(never, (error) => error.code)))).resolves.toBe(
      'EAI_AGAIN',
    )
  })
})
