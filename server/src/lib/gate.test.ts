import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Gate } from './gate.ts'

it('lets so many through at a time, and the next ones when a task ends or fails', async () => {
  const gate = new Gate(3)
  let inside = 0
  let most = 0
  const task = async (number: number) => {
    inside += 1
    most = Math.max(most, inside)
    await pause(1)
    inside -= 1
    if (number % 4 === 0) throw new Error('failed')
    return number
  }
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => gate.run(() => task(i))))
  expect(most).toBe(3)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect(await gate.run(async () => 'free')).toBe('free')
})
