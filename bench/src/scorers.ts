import { labelledAnswers, measureCorrectness } from '@cairn/server/bench/scorers'
import { type Row, round } from './support/results.ts'

/** How well the local correctness scorer separates right from wrong answers, on both halves of the labelled set. */
export function benchScorers(): Row[] {
  const labelled = labelledAnswers()
  const rows = ['tuning', 'held-out', 'whole'].flatMap((half): Row[] => {
    const set = labelled.filter((one) => half === 'whole' || one.half === half)
    const { auc, accuracy } = measureCorrectness(set)
    return [
      {
        what: `${half}, right above wrong (${set.length} answers)`,
        value: round(auc, 4),
        unit: '',
        bar: { min: 0.9 },
      },
      { what: `${half}, right side of 0.7`, value: round(accuracy, 4), unit: '', bar: { min: 0.85 } },
    ]
  })
  const started = performance.now()
  measureCorrectness(labelled)
  const each = (performance.now() - started) / labelled.length
  return [...rows, { what: 'one score', value: round(each, 3), unit: 'ms' }]
}
