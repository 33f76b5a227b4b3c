import { expect, test } from 'vitest'
import { loadLabelledTexts } from '../../../../bench/src/support/labelled-passages.ts'
import { measureRelations } from '../../../../bench/src/support/relation-quality.ts'
import { relateLocally } from './local.ts'

const texts = loadLabelledTexts()
const heldOut = texts.filter(({ split }) => split === 'held-out')
const quality = measureRelations(heldOut, ({ passages }) => relateLocally(passages))

test('the labelled texts have enough related and unrelated pairs, and unrelated neighbours', () => {
  expect(texts.map(({ split }) => split).sort()).toEqual([
    ...Array<string>(5).fill('held-out'),
    ...Array<string>(5).fill('train'),
  ])
  expect(quality.pairs).toBeGreaterThan(60)
  expect(quality.pairs - quality.related).toBeGreaterThan(25)
  expect(quality.neighboursF1).toBeLessThan(0.6)
  for (const { passages, relations } of texts) {
    expect(passages.every(({ text }) => text.length > 80)).toBe(true)
    expect(relations.every(({ source, target }) => passages[source] && passages[target])).toBe(true)
  }
})

test('on texts that it was not fitted to, it is better than the baseline that relates all neighbours', () => {
  expect(quality.f1).toBeGreaterThan(quality.neighboursF1 + 0.1)
  expect(quality.precision).toBeGreaterThan(0.6)
  expect(quality.recall).toBeGreaterThan(0.6)
})

test('type and direction are right for most of the found relations', () => {
  expect(quality.directedAccuracy).toBeGreaterThan(quality.mostFrequentType + 0.3)
})

test('confidences vary, are higher for right relations, and their mean is near the fraction of right relations', () => {
  const { confidences, confidenceOfRight, confidenceOfWrong } = quality
  expect(Math.max(...confidences) - Math.min(...confidences)).toBeGreaterThan(0.4)
  expect(confidenceOfRight).toBeGreaterThan(confidenceOfWrong + 0.1)
  const mean = confidences.reduce((sum, value) => sum + value, 0) / confidences.length
  const right = quality.precision * quality.directedAccuracy
  expect(Math.abs(mean - right)).toBeLessThan(0.15)
})
