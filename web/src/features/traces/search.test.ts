import { describe, expect, it } from 'vitest'
import { nextOrder, orderOf, parseTraceSearch } from './search.ts'

describe('the order of the list of traces', () => {
  it('goes from descending to ascending to newest first with clicks on one head', () => {
    const first = nextOrder({}, 'cost')
    expect(orderOf(first)).toEqual({ sort_by: 'cost' })
    const second = nextOrder(first, 'cost')
    expect(orderOf(second)).toEqual({ sort_by: 'cost', order: 'asc' })
    expect(orderOf(nextOrder(second, 'cost'))).toEqual({})
    expect(orderOf(nextOrder(second, 'latency'))).toEqual({ sort_by: 'latency' })
  })

  it('by time is only reversed, because newest first is the default', () => {
    expect(orderOf(nextOrder({}, 'time'))).toEqual({ order: 'asc' })
    expect(orderOf(nextOrder({ order: 'asc' }, 'time'))).toEqual({})
    expect(orderOf(nextOrder({ sort_by: 'cost', order: 'asc' }, 'time'))).toEqual({})
  })

  it('is read from the address, and an unknown order is ignored', () => {
    expect(orderOf(parseTraceSearch({ sort_by: 'tokens', order: 'asc' }))).toEqual({
      sort_by: 'tokens',
      order: 'asc',
    })
    expect(orderOf(parseTraceSearch({ sort_by: 'mood', order: 'up' }))).toEqual({})
  })
})
