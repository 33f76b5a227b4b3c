import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { tokenize } from './tokens.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Megabytes of reachable objects. */
function reachable(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

function tokenizeWords(count: number, language: 'english' | 'german' | 'french'): void {
  for (let number = 0; number < count; number += 1000) {
    const words = Array.from({ length: 1000 }, (_, index) => `${'word'.repeat(12)}${number + index}`)
    tokenize(words.join(' '), language)
  }
}

it('caches a bounded number of words over all languages', () => {
  const before = reachable()
  tokenizeWords(40_000, 'english')
  const ofOne = reachable() - before
  for (const language of ['german', 'french'] as const) tokenizeWords(40_000, language)
  expect(reachable() - before).toBeLessThan(1.5 * ofOne)
})
