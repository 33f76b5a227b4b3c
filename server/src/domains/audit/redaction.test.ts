import { describe, expect, it } from 'vitest'
import { processorMs } from '../../lib/processor-time.test-support.ts'
import { redact, withoutSecrets } from './redaction.ts'

const removed = '[removed]'

describe('a body in the audit log', () => {
  it('is stored unchanged if it contains no secret', () => {
    const body = {
      name: 'Müller \0 \ud83d "x"',
      author: 'an author',
      settings: { max_tokens: 500, temperature: 0, context_files: ['a', 'b'], custom_prompt: null },
      api_access_enabled: false,
      url: 'https://example.com/hook?x=1#top',
      text: 'basic knowledge of the bearer; task-management, desk-1234567890',
      list: [[], {}, [{}]],
    }
    expect(redact(body, ['admin-token'])).toEqual(body)
    for (const value of [null, 5, 'x', false, []]) expect(redact(value, [])).toEqual(value)
    expect(redact(undefined, [])).toBeNull()
  })

  it.each([
    ...['secret', 'client_secret', 'secretKey', 'token', 'access_token', 'refreshToken', 'api_key', 'apiKey'],
    ...['X-API-Key', 'password', 'passwd', 'passphrase', 'pwd', 'pass', 'private_key', 'accessKeyId'],
    ...['Authorization', 'auth', 'credentials', 'cookie'],
  ])('contains no value of a field named %s, whatever its type', (name) => {
    for (const value of ['hidden', 12345, ['hidden'], { deep: 'hidden' }, true, '']) {
      const shown = redact({ provider: [{ [name]: value, kept: 1 }] }, [])
      expect(shown).toEqual({ provider: [{ [name]: removed, kept: 1 }] })
    }
  })

  it('contains numbers of tokens, but no tokens', () => {
    const body = { tokens: 5, max_tokens: null, refresh_tokens: ['hidden'], accessTokens: 'hidden' }
    const shown = { ...body, refresh_tokens: removed, accessTokens: removed }
    expect(redact(body, [])).toEqual(shown)
  })

  it.each([
    ['https://user:hidden@example.com/a', `https://${removed}@example.com/a`],
    ['see postgres://u:p@hidden@db:5432/x.', `see postgres://${removed}@db:5432/x.`],
    ['https://hidden@example.com', `https://${removed}@example.com`],
    ['/hook?a=1&token=hidden&b=2', `/hook?a=1&token=${removed}&b=2`],
    ['https://h/?X-Api-Key=hidden#x', `https://h/?X-Api-Key=${removed}#x`],
    ['Authorization: Bearer hidden0.abc', `Authorization: Bearer ${removed}`],
    ['basic aGlkZGVu0GhpZGRlbg==', `basic ${removed}`],
    ['my key is tk_0abc1_0123456789abcdef.', `my key is tk_${removed}.`],
    ['sk-proj-hidden0hidden', `sk-${removed}`],
    ['-----BEGIN RSA PRIVATE KEY-----\nhidden\n-----END', `${removed}-----END`],
    ['the admin is the-admin-token!', `the admin is ${removed}!`],
  ])('contains no secret inside a text: %s', (text, shown) => {
    expect(withoutSecrets(text, ['the-admin-token'])).toBe(shown)
    const body = redact({ a: [text], [text]: 1 }, ['the-admin-token']) as object
    expect(body).toMatchObject({ a: [shown] })
    expect(Object.keys(body)).toEqual(['a', shown])
  })

  const sizeOf = (body: unknown) => JSON.stringify(redact(body, [])).length

  it('is cut if it is long, deep or has many parts', () => {
    const long = { name: 'a name', text: 'x'.repeat(10_000_000), late: 'y' }
    expect(redact(long, [])).toMatchObject({
      name: 'a name',
      text: expect.stringMatching(/^x{3000,4000}… \[cut\]$/),
    })
    let deep: unknown = 'deep'
    for (let i = 0; i < 5000; i++) deep = i % 2 ? [deep] : { deep }
    const bodies = [
      long,
      deep,
      Array(1_000_000).fill(''),
      Array(1_000_000).fill([]),
      Array(1_000_000).fill(1e-300),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`${i}`, {}])),
    ]
    for (const body of bodies) {
      expect(sizeOf(body)).toBeLessThan(30_000)
      expect(JSON.stringify(redact(body, []))).toContain('[cut]')
    }
  })

  it('is computed fast, even for texts that would slow down regular expressions', async () => {
    const work = () => {
      for (const part of ['?', '?key', 'a.', '://', 'x://', 'bearer ', 'sk-', '-----BEGIN ', 'a?a;token']) {
        redact(part.repeat(1_000_000), ['admin-token'])
      }
    }
    expect(await processorMs(work)).toBeLessThan(2000)
  })
})
