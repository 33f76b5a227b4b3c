import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateReference, referenceFolder } from './generate.ts'

describe('the generated reference', () => {
  let pages: Record<string, string>

  beforeAll(async () => {
    pages = await generateReference()
  })

  it.each(['configuration.md', 'errors.md', 'prices.md', 'openapi.json', 'openapi-console.json'])(
    '%s is up to date (else: npm run docs)',
    (name) => {
      // Only a boolean is compared, because a diff of these long files would be unreadable.
      const same = pages[name] === readFileSync(new URL(name, referenceFolder), 'utf8')
      expect(same, `docs/reference/${name} is stale; run npm run docs`).toBe(true)
    },
  )

  it('holds what it is made from', () => {
    expect(Object.keys(pages)).toHaveLength(5)
    expect(pages['configuration.md']).toContain('| `PORT` | `8000` |')
    expect(pages['configuration.md']).toContain('`10485760` (10 MiB)')
    expect(pages['errors.md']).toContain('| 429 | `rate_limited` |')
    expect(pages['prices.md']).toMatch(/\| `gpt-4o` \| 2024-08-06 \| 2.5 \| 10 \| 1.25 \|/)
    const document = JSON.parse(pages['openapi.json'] ?? '') as { openapi: string; paths: object }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/v1/{chat_id}/answer_question')
    expect(pages['openapi-console.json']).toContain('"/v1/console/projects"')
  })
})
