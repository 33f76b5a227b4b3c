import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { readPaths } from '../support/api-description.ts'
import { sharedServers } from '../support/databases.ts'
import { inventory } from './inventory.ts'

const specs = ['project-api.md', 'chat-api.md'].map(
  (name) => new URL(`../../../shared/spec/${name}`, import.meta.url),
)
const endpoints = inventory.map(({ endpoint }) => endpoint)

/** Finds endpoints in the contract: `POST /path` in a list, or | POST | /path | in a table. */
function endpointsOf(text: string): string[] {
  const found = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE)(?:`? | \| )`?(\/[\w\-/{}]+)/g)]
  return found.map(([, method, path]) => `${method} ${path}`)
}

describe.each(sharedServers.slice(0, 1))('the coverage inventory', ({ server }) => {
  let served: string[]

  beforeAll(async () => {
    served = Object.entries(await readPaths(server.url)).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  })

  it('contains each endpoint once', () => {
    expect(endpoints.length).toBe(new Set(endpoints).size)
  })

  it('marks as done exactly the endpoints of the server', () => {
    const done = inventory.filter(({ state }) => state === 'done').map(({ endpoint }) => endpoint)
    expect(done.length).toBeGreaterThan(20)
    expect(done.toSorted()).toEqual(served.toSorted())
  })

  const missing = specs.filter((spec) => !existsSync(spec))
  if (missing.length > 0)
    console.warn(`skipped: ${missing.length} contract files are not beside the checkout`)

  it.skipIf(missing.length > 0)('contains every endpoint of the contract', () => {
    const contract = new Set(specs.flatMap((spec) => endpointsOf(readFileSync(spec, 'utf8'))))
    expect(contract.size).toBe(49)
    expect([...contract].filter((endpoint) => !endpoints.includes(endpoint))).toEqual([])
  })
})
