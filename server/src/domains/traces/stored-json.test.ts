import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeStored, encodeRecord, type TraceRecord, toRecord } from './record.ts'
import { summaryAsJson, traceAsJson } from './stored-json.ts'
import { toSummary } from './summary.ts'

const marks = [
  ',"metadata":{',
  ',"cost":null,"created_at":',
  ',"cost_source":null,"cost_breakdown":',
  '"',
  '\\',
  '',
]
const text = fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'binary' }))
/** Objects with the names that the server looks for. */
const object = fc.dictionary(
  fc.constantFrom('metadata', 'cost', 'created_at', 'cost_source', 'cost_breakdown', 'x'),
  fc.oneof(text, fc.constant(null), fc.integer(), fc.constant({ cost_source: null, cost_breakdown: null })),
)
const trace = fc.record({
  name: fc.option(text),
  input: text,
  output: text,
  model: fc.option(text),
  tags: fc.array(text, { maxLength: 2 }),
  token_usage: fc.option(fc.constant({ prompt_tokens: 1, cost: 2, created_at: 3, metadata: 4 })),
  metadata: object,
  custom_attributes: object,
  tool_calls: fc.array(object, { maxLength: 2 }),
  error: fc.option(text),
})
const costs: Pick<TraceRecord, 'cost' | 'cost_source'>[] = [
  { cost: null, cost_source: null },
  { cost: 0.1, cost_source: 'client' },
  { cost: 0.25, cost_source: 'computed' },
]

describe('a stored trace as JSON', () => {
  it('equals the JSON of the parsed trace, for any texts and objects', () => {
    fc.assert(
      fc.property(trace, fc.constantFrom(...costs), (given, { cost, cost_source }) => {
        const sent = cost_source === 'client' ? { cost } : {}
        const stored = { body: encodeRecord(toRecord({ ...given, ...sent })), cost, cost_source }
        const record = decodeStored(stored)
        expect(summaryAsJson(stored).toString()).toBe(JSON.stringify(toSummary(record)))
        expect(traceAsJson(stored, []).toString()).toBe(JSON.stringify({ ...record, scores: [] }))
      }),
      { numRuns: 500 },
    )
  })
})
