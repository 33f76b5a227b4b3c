import { tokenize } from './tokens.ts'

/*
 * Prints the reachable megabytes that the cache of terms takes after many English words, and after as many words of two more
 * languages. Started with --expose-gc.
 */

function reachable(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

function tokenizeWords(count: number, language: 'english' | 'german' | 'french'): void {
  for (let number = 0; number < count; number += 1000) {
    const words = Array.from({ length: 1000 }, (_, index) => `${'word'.repeat(12)}${number + index}`)
    tokenize(words.join(' '), language)
  }
}

const before = reachable()
tokenizeWords(40_000, 'english')
const ofOne = reachable() - before
for (const language of ['german', 'french'] as const) tokenizeWords(40_000, language)
process.stdout.write(JSON.stringify([ofOne, reachable() - before]))
