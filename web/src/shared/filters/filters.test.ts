import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../search-params.ts'
import { chipText, conditionsOf, filtersOf, withCondition, withoutCondition } from './filters.ts'

const read = (text: string) => filtersOf(parseSearch(text))
const blank = { name: '', value: '', min: '', max: '' }

describe('filters of traces', () => {
  it('are parsed from an address and written back to the same one', () => {
    const address =
      '?status=error&tag=a&tag=b&min_latency_ms=100&max_cost=0.5&attr.plan=pro&score.tone%3E=0.5'
    const filters = read(`${address}&trace=trc_1&live=1&period=24h&q=x`)
    expect(stringifySearch(filters)).toBe(address)
    expect(conditionsOf(filters).map(chipText)).toEqual([
      ['Status', 'error'],
      ['Tag', 'a'],
      ['Tag', 'b'],
      ['Latency, ms', '≥ 100'],
      ['Cost, USD', '≤ 0.5'],
      ['plan', 'pro'],
      ['Score tone', '≥ 0.5'],
    ])
  })

  it('add, replace and remove a condition', () => {
    const tagged = withCondition(read('?tag=a'), { ...blank, field: 'tag', value: 'b' })
    expect(tagged).toEqual({ tag: ['a', 'b'] })
    const [first] = conditionsOf(tagged)
    expect(first && withoutCondition(tagged, first)).toEqual({ tag: 'b' })
    expect(withCondition(read('?model=x'), { ...blank, field: 'model', value: 'y' })).toEqual({ model: 'y' })
    const [latency] = conditionsOf(read('?min_latency_ms=1&max_latency_ms=9'))
    expect(latency && chipText(latency)[1]).toBe('1 – 9')
    expect(
      withCondition(
        read('?min_latency_ms=1&max_latency_ms=9'),
        { ...blank, field: 'latency', max: '5' },
        latency,
      ),
    ).toEqual({
      max_latency_ms: '5',
    })
    expect(withCondition({}, { ...blank, field: 'score', name: 'tone', min: '0.2', max: '0.8' })).toEqual({
      'score.tone>': '0.2',
      'score.tone<': '0.8',
    })
  })

  it('by feedback are a choice, and conditions on one value of the score', () => {
    const liked = withCondition({}, { ...blank, field: 'feedback', value: 'liked' })
    expect(liked).toEqual({ 'score.user_feedback>': '1', 'score.user_feedback<': '1' })
    expect(conditionsOf(liked).map(chipText)).toEqual([['Feedback', 'liked']])
    expect(conditionsOf(read('?score.user_feedback%3E=0')).map(chipText)).toEqual([
      ['Score user_feedback', '≥ 0'],
    ])
  })

  it('by name and by trace ids have a chip each', () => {
    const filters = read('?name=checkout&trace_id=trc_1&trace_id=trc_2')
    expect(conditionsOf(filters).map(chipText)).toEqual([
      ['Name', 'checkout'],
      ['Traces', '2 selected'],
    ])
    const [name, traces] = conditionsOf(filters)
    expect(name && withoutCondition(filters, name)).toEqual({ trace_id: ['trc_1', 'trc_2'] })
    expect(traces && withoutCondition(filters, traces)).toEqual({ name: 'checkout' })
    expect(conditionsOf(read('?trace_id=trc_1')).map(chipText)).toEqual([['Trace', 'trc_1']])
  })

  it('keep several values of an attribute', () => {
    const added = withCondition(read('?attr.plan=pro'), {
      ...blank,
      field: 'attr',
      name: 'plan',
      value: 'team',
    })
    expect(added).toEqual({ 'attr.plan': ['pro', 'team'] })
    expect(stringifySearch(added)).toBe('?attr.plan=pro&attr.plan=team')
  })
})
