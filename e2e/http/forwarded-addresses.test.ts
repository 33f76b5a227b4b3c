import { afterEach, describe, expect, it } from 'vitest'
import { Api } from '../support/api.ts'
import { expectRefusal } from '../support/refusal.ts'
import { adminToken, type Server, startServer } from '../support/server.ts'

const projects = '/v1/console/projects'
const session = '/v1/console/session'
const limit = 3

describe('addresses that a proxy forwards', () => {
  let server: Server | undefined
  const start = async (trust: string | undefined) => {
    const env = { CAIRN_TRUST_PROXY: trust, CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE: String(limit) }
    server = await startServer({ env })
    return server.url
  }
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  const withToken = (token: string) => (url: string, forwarded: string) =>
    new Api(url, { 'x-admin-token': token, 'x-forwarded-for': forwarded }).get(projects)
  const [tryWrong, tryRight] = [withToken('a wrong token'), withToken(adminToken)]

  /** The address in the audit log for a change with this `X-Forwarded-For`. */
  async function loggedAddress(url: string, forwarded: string): Promise<string> {
    const admin = Api.admin(url)
    await admin.call('POST', projects, {
      body: { name: 'logged' },
      headers: { 'x-forwarded-for': forwarded },
    })
    return (await admin.ok('GET', '/v1/console/audit?limit=1')).body[0].remote_address
  }

  it('that the client forges neither avoid the limit of wrong admin tokens nor lock out others', async () => {
    const url = await start('1')
    const [administrator, attacker] = ['203.0.113.10', '203.0.113.9']
    for (let i = 0; i < limit; i++) {
      const answer = await tryWrong(url, `${administrator}, 198.51.100.${i}, ${attacker}`)
      expectRefusal(answer, { status: 401 })
    }
    for (const forged of ['198.51.100.77', administrator, '"><script>', 'unknown']) {
      expect((await tryWrong(url, `${forged}, ${attacker}`)).status, forged).toBe(429)
    }
    expect((await tryRight(url, administrator)).status).toBe(200)
    expect((await tryRight(url, `${attacker}, ${administrator}`)).status).toBe(200)
  })

  it('of one IPv6 network of 64 bits count as one client', async () => {
    const url = await start('1')
    for (let i = 1; i <= limit; i++) expect((await tryWrong(url, `2001:db8:1:2::${i}`)).status).toBe(401)
    expect((await tryWrong(url, '2001:db8:1:2:ffff:eeee:dddd:cccc')).status).toBe(429)
    expect((await tryRight(url, '2001:db8:1:2:abcd::')).status).toBe(429)
    expect((await tryRight(url, '2001:db8:1:3::1')).status).toBe(200)
    expect((await tryWrong(url, '::ffff:198.51.100.1')).status).toBe(401)
    expect((await tryRight(url, '::ffff:198.51.100.2')).status).toBe(200)
  })

  it('are in the audit log only if they are valid addresses', async () => {
    const url = await start('1')
    const logged: Record<string, string> = {
      '203.0.113.5': '203.0.113.5',
      '198.51.100.1, 203.0.113.5': '203.0.113.5',
      '203.0.113.5:4711': '203.0.113.5',
      '[2001:DB8::1]:443': '2001:db8::1',
      '[2001:db8::1]': '2001:db8::1',
      '2001:db8:0:0:0:0:0:1': '2001:db8::1',
      '::ffff:203.0.113.5': '203.0.113.5',
      '::ffff:cb00:7105': '203.0.113.5',
      'fe80::1%not-an-address': 'fe80::1',
      unknown: '127.0.0.1',
      '<script>alert(1)</script>': '127.0.0.1',
      '203.0.113.5 or so': '127.0.0.1',
      '203.0.113.005': '127.0.0.1',
      '203.0.113': '127.0.0.1',
      '0x7f000001': '127.0.0.1',
      '203.0.113.5:port': '127.0.0.1',
      '1:2:3': '127.0.0.1',
      '203.0.113.5, ': '203.0.113.5',
      ',': '127.0.0.1',
    }
    for (const [forwarded, address] of Object.entries(logged)) {
      expect(await loggedAddress(url, forwarded), forwarded).toBe(address)
    }
  })

  it('are followed through the configured number of proxies', async () => {
    const url = await start('2')
    expect(await loggedAddress(url, '198.51.100.1, 203.0.113.5, 192.0.2.1')).toBe('203.0.113.5')
    expect(await loggedAddress(url, '203.0.113.5')).toBe('203.0.113.5')
    expect(await loggedAddress(url, '198.51.100.1, nonsense, 192.0.2.1')).toBe('192.0.2.1')
    expect(await loggedAddress(url, '198.51.100.1, nonsense')).toBe('127.0.0.1')
  })

  it('are followed through the configured networks', async () => {
    const url = await start('loopback, 192.0.2.0/24, 2001:db8::7')
    expect(await loggedAddress(url, '198.51.100.1, 203.0.113.5')).toBe('203.0.113.5')
    expect(await loggedAddress(url, '198.51.100.1, 203.0.113.5, 192.0.2.1:80, [2001:db8::7]:80')).toBe(
      '203.0.113.5',
    )
    expect(await loggedAddress(url, '198.51.100.1, 203.0.113.5, ::ffff:192.0.2.9')).toBe('203.0.113.5')
    expect(await loggedAddress(url, '198.51.100.1, nonsense, 192.0.2.1')).toBe('192.0.2.1')
  })

  it.each([
    ['no proxy is named', undefined],
    ['proxies are switched off', 'false'],
    ['the caller is none of the proxies', '10.0.0.0/8'],
  ])('with protocol and host are ignored if %s', async (_, trust) => {
    const url = await start(trust)
    expect(await loggedAddress(url, '203.0.113.5')).toBe('127.0.0.1')
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cairn.example.com' }
    const { headers } = await Api.admin(url).call('POST', session, { headers: forwarded })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).not.toContain('Secure')
    const page = new Api(url, { cookie: cookie.split(';')[0] ?? '', origin: 'https://cairn.example.com' })
    expect((await page.call('POST', projects, { body: { name: 'x' }, headers: forwarded })).status).toBe(401)
  })
})
