import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { inTurn } from './turns.ts'

const newQueue = () => new FairQueue({ width: 1, maxWaiting: 10, refusal: () => new Error('refused') })

function busy(ms: number): string {
  for (const end = performance.now() + ms; performance.now() < end; );
  return 'done'
}

test('long work keeps its place for a rest after its result is there, short work does not', async () => {
  const queue = newQueue()
  expect(await inTurn(queue.enter(['project']), () => busy(40))).toBe('done')
  expect(queue.status()).toMatchObject({ running: 1 })
  expect(await inTurn(queue.enter(['other']), () => 'next')).toBe('next')
  expect(queue.status()).toMatchObject({ running: 0 })
})

test('work that fails gives its place back', async () => {
  const queue = newQueue()
  const fail = () => {
    throw new Error('no')
  }
  await expect(inTurn(queue.enter(['project']), fail)).rejects.toThrow('no')
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0 })
})
