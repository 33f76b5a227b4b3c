import { expect, it } from 'vitest'
import { analyticsSearch } from '../features/analytics/search.ts'
import { parseTraceSearch } from '../features/traces/search.ts'
import { toQuery, viewOf } from '../shared/filters/view.ts'
import { parseSearch } from '../shared/search-params.ts'

/** Addresses that users may have shared, and the query that each screen sends for them. */
const shared: [string, object][] = [
  ['status=error&model=gpt-4o&version=1.0.0&environment=live', { status: 'error', model: 'gpt-4o' }],
  ['tag=a&tag=b', { tag: ['a', 'b'] }],
  ['session_id=s&user_id=u', { session_id: 's', user_id: 'u' }],
  ['min_latency_ms=9&max_latency_ms=20&min_cost=0.1', { min_latency_ms: '9', min_cost: '0.1' }],
  ['attr.plan=pro&score.tone>=0.5&score.tone<=0.9', { 'attr.plan': 'pro', 'score.tone>': '0.5' }],
  ['q=ANSWER+33', { q: 'ANSWER 33' }],
  ['period=24h', { start_date: '2026-03-09T00:00:00.000Z' }],
  ['period=90d', { start_date: '2025-12-10T00:00:00.000Z' }],
  ['start_date=2026-01-01T00:00:00Z&end_date=2026-01-02T00:00:00Z', { end_date: '2026-01-02T00:00:00Z' }],
  ['period=3y&trace=tr_1&group=model&top=tag&unknown=1', {}],
]

it.each(shared)('?%s chooses the same traces on every screen', (text, query) => {
  const now = Date.parse('2026-03-10T00:00:00Z')
  const ofTraces = viewOf(parseTraceSearch(parseSearch(text)))
  expect(toQuery(ofTraces, now)).toMatchObject(query)
  expect(viewOf(analyticsSearch(parseSearch(text)))).toEqual(ofTraces)
  if (Object.keys(query).length === 0) expect(ofTraces).toEqual({})
})
