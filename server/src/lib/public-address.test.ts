import { describe, expect, it } from 'vitest'
import { isPublicAddress, outgoingUrlProblem } from './public-address.ts'

/** IANA's registries of special addresses, at least one address of each block. */
const special = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
  192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::7f00:1 ::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:127.0.0.1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:3::1 2001:20::1 2001:db8::1 2002:7f00:1::
  2002:808:808:: 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1`.split(
  /\s+/,
)

const open = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '2606:4700::1111',
]

describe('public addresses', () => {
  it.each(special)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each([...open, '::ffff:8.8.8.8', '2a00:1450:4001::1'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each(['', 'localhost', '8.8.8', '8.8.8.8.8', '1.2.3.4/8', 'g::1', '0x7f000001', '2130706433'])(
    '%j is no address that a connection would be made to',
    (address) => expect(isPublicAddress(address)).toBe(false),
  )
})

describe('the check of a URL', () => {
  const strict = { allowHttp: false, isAllowed: isPublicAddress }
  const lax = { allowHttp: true, isAllowed: () => true }

  it.each([
    ['not a url', 'must be a URL'],
    ['/only/a/path', 'must be a URL'],
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['https://user@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://localhost/', 'localhost is no public address'],
    ['https://LOCALHOST./', 'no public address'],
    ['https://db.internal:5432/', 'no public address'],
    ['https://printer.local/', 'no public address'],
    ['https://127.0.0.1/', 'no public address'],
    ['https://0x7f.1/', 'no public address'],
    ['https://2130706433/', 'no public address'],
    ['https://127.1:8443/', 'no public address'],
    ['https://①②⑦.0.0.1/', 'no public address'],
    ['https://[::1]/', 'no public address'],
    ['https://[::ffff:7f00:1]/', 'no public address'],
    ['https://169.254.169.254/latest/meta-data', 'no public address'],
  ])('refuses %s', (url, message) => {
    expect(outgoingUrlProblem(url, strict)?.message).toContain(message)
  })

  it.each([
    'https://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('takes %s', (url) => expect(outgoingUrlProblem(url, strict)).toBeUndefined())

  it('accepts http and private addresses if they are allowed, but no credentials or other schemes', () => {
    for (const url of ['http://127.0.0.1:80/', 'http://localhost/x', 'https://[::1]/']) {
      expect(outgoingUrlProblem(url, lax), url).toBeUndefined()
    }
    for (const url of ['http://a:b@localhost/', 'ftp://localhost/']) {
      expect(outgoingUrlProblem(url, lax), url).toBeDefined()
    }
  })
})
