import { describe, expect, it } from 'vitest'
import { correctness } from './correctness.ts'
import { labelledAnswers, measureCorrectness } from './labelled.ts'

const labelled = labelledAnswers()

describe('the local correctness scorer', () => {
  it.each(['tuning', 'held-out', 'whole'])('separates right from wrong answers, on the %s set', (half) => {
    const set = labelled.filter((one) => half === 'whole' || one.half === half)
    const { auc, accuracy, misses } = measureCorrectness(set)
    const details = JSON.stringify(misses, null, 1)
    expect(auc, details).toBeGreaterThanOrEqual(0.9)
    expect(accuracy, details).toBeGreaterThanOrEqual(0.85)
  })

  it.each([...new Set(labelled.filter(({ right }) => !right).map(({ kind }) => kind))])(
    'ranks right answers above answers that are wrong by %s',
    (kind) => {
      const set = labelled.filter((one) => one.right || one.kind === kind)
      expect(measureCorrectness(set).auc).toBeGreaterThanOrEqual(0.9)
    },
  )

  it('has enough labelled answers of each kind', () => {
    const count = (kind: string) => labelled.filter((one) => one.kind === kind && !one.right).length
    expect(labelled.length).toBeGreaterThanOrEqual(220)
    expect(count('negation')).toBeGreaterThanOrEqual(40)
    expect(count('number')).toBeGreaterThanOrEqual(40)
  })

  it.each([
    ['The alarm rings before the gate closes.', 'The gate closes after the alarm rings.', 1],
    ['The alarm rings before the gate closes.', 'The gate closes before the alarm rings.', 0],
    ['Iron is heavier than wood.', 'Wood is lighter than iron.', 1],
    ['Broken glass goes into the red bin.', 'Broken glass goes into the blue bin.', 0],
    ['It was 12,400 on 3 May 2020.', 'On May 3rd, 2020 it was 12400.', 1],
    ['Die Frist beträgt 14 Tage.', 'Die Frist beträgt 30 Tage.', 0],
  ])('%s: %s', (expected, output, right) => {
    const { score } = correctness.score({ input: undefined, output, expected_output: expected })
    expect(score >= 0.7 ? 1 : 0).toBe(right)
  })

  it('explains its score', () => {
    const reasonOf = (expected_output: string, output: string) =>
      correctness.score({ input: 'What does it cost?', output, expected_output }).reasoning
    expect(reasonOf('It costs $15.', 'It costs $50.')).toBe('expected $15, the output has $50')
    expect(reasonOf('It is free.', 'It is not free.')).toBe(
      'expected "free", the output says the opposite: "not: free"',
    )
    expect(reasonOf('It is free.', 'I am not sure.')).toContain('gives no answer')
  })
})
