import { relateLocally } from '@cairn/server/bench/relating'
import { loadLabelledTexts } from './support/labelled-passages.ts'
import { measureRelations } from './support/relation-quality.ts'
import { type Row, round } from './support/results.ts'

const manyPassages = 5_000

/** Quality of the local method on the labelled texts, and its time for a long document. */
export function benchRelationships(): Row[] {
  const texts = loadLabelledTexts()
  const rows = ['train', 'held-out'].flatMap((split) => {
    const quality = measureRelations(
      texts.filter((text) => text.split === split),
      ({ passages }) => relateLocally(passages),
    )
    const { pairs, related, precision, recall, f1, neighboursF1 } = quality
    const row = (what: string, value: number): Row => ({
      what: `${split} texts, ${what}`,
      value: round(value, 3),
      unit: '',
    })
    return [
      row('pairs', pairs),
      row('related pairs', related),
      row('precision', precision),
      row('recall', recall),
      split === 'held-out' ? { ...row('F1', f1), bar: { min: 0.62 } } : row('F1', f1),
      row('F1 of calling all neighbours related', neighboursF1),
      row('type and direction of the related ones', quality.directedAccuracy),
      row('always the most frequent type', quality.mostFrequentType),
      row('mean confidence of what is right', quality.confidenceOfRight),
      row('mean confidence of what is wrong', quality.confidenceOfWrong),
    ]
  })
  return [...rows, timeOfMany()]
}

/** Combines sentences of the labelled texts to passages as long as in a real document. */
function timeOfMany(): Row {
  const sentences = loadLabelledTexts().flatMap(({ passages }) =>
    passages.flatMap(({ text }) => text.split(/(?<=\.)\s/)),
  )
  const passages = Array.from({ length: manyPassages }, (_, n) => ({
    text: Array.from({ length: 8 }, (_, k) => sentences[(n * 17 + k * 31 + n * k) % sentences.length]).join(
      ' ',
    ),
    headingPath: ['Book', `Chapter ${Math.floor(n / 20)}`],
  }))
  const from = performance.now()
  const found = relateLocally(passages)
  const ms = performance.now() - from
  if (found.length === 0) throw new Error('nothing was related')
  return { what: `${manyPassages} passages of 8 sentences, in a thread`, value: round(ms, 0), unit: 'ms' }
}
