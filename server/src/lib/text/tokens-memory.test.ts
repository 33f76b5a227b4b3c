import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const measurement = fileURLToPath(new URL('./tokens-memory.test-process.ts', import.meta.url))

it('caches a bounded number of words over all languages', () => {
  // In a separate process, because other tests free memory of this one meanwhile.
  const output = execFileSync(process.execPath, ['--expose-gc', measurement], { encoding: 'utf8' })
  const [ofOne, ofAll] = JSON.parse(output) as [number, number]
  expect(ofOne).toBeGreaterThan(1)
  expect(ofAll).toBeLessThan(1.5 * ofOne)
})
