import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InMemoryRateLimits, windowMs } from './rate-limit.ts'

describe('rate limits of one process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('let a key send its requests per second at once, and no more after a long rest', async () => {
    const limits = new InMemoryRateLimits()
    const burst = async () => {
      let taken = 0
      while ((await limits.takeToken('key', 5)) === undefined) taken++
      return taken
    }
    expect(await burst()).toBe(5)
    vi.advanceTimersByTime(60_000)
    expect(await burst()).toBe(5)
    vi.advanceTimersByTime(400)
    expect(await burst()).toBe(2)
  })

  it('end a window one minute after its first request, however many requests are refused in it', async () => {
    const limits = new InMemoryRateLimits()
    const { endsMs } = await limits.take('query', 'user', 2)
    for (let second = 0; second < 59; second++) {
      vi.advanceTimersByTime(1_000)
      const state = await limits.take('query', 'user', 2)
      expect(state).toMatchObject({ endsMs, isOver: second > 0 })
    }
    vi.advanceTimersByTime(windowMs - 59_000)
    expect(await limits.take('query', 'user', 2)).toMatchObject({ isOver: false, remaining: 1 })
  })
})
