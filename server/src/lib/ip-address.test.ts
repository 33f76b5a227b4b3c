import { describe, expect, it } from 'vitest'
import { clientNetwork, parseIpAddress } from './ip-address.ts'

describe('an address that a proxy may have written', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    [' 203.0.113.5:80 ', '203.0.113.5'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['[::ffff:cb00:7105]:1', '203.0.113.5'],
    ['fe80::1%anything', 'fe80::1'],
  ])('%s has one form', (text, address) => expect(parseIpAddress(text)).toBe(address))

  it.each(
    ['', ' ', 'unknown', '_hidden', '1.2.3', '1.2.3.04', '0x7f.0.0.1', '1.2.3.4:', '1.2.3.4:port'].concat([
      '[1.2.3.4',
      '1:2:3',
      '::1]:80',
      '1.2.3.4\0',
      '<b>',
      '1.2.3.4/8',
      '%eth0',
      '1.2.3.4, 5.6.7.8',
    ]),
  )('%j is no address', (text) => expect(parseIpAddress(text)).toBeUndefined())

  it('is undefined for a closed socket', () => expect(parseIpAddress(undefined)).toBeUndefined())
})

describe('the client behind an address', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
  ])('%s is counted as %s', (address, network) => expect(clientNetwork(address)).toBe(network))
})
