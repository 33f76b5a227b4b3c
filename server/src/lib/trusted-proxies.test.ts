import { expect, it } from 'vitest'
import { parseTrustedProxies } from './trusted-proxies.ts'

it.each(['constructor', '__proto__', 'loopback, toString'])('rejects %s, which names no network', (text) => {
  const entry = text.split(', ').at(-1)
  expect(() => parseTrustedProxies(text)).toThrow(`; ${entry} is none of these`)
})
