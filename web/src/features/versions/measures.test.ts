import { describe, expect, it } from 'vitest'
import { type Measure, verdictOf } from './measures.ts'

const measure = (title: string, a: number | null, b: number | null, better: Measure['better']): Measure => ({
  ...{ title, a, b, better },
  format: (value) => String(value),
})

describe('the verdict of a comparison', () => {
  it('names better and worse measures and noise, and omits neutral, unknown and nearly equal ones', () => {
    expect(
      verdictOf([
        measure('Traces', 10, 1000, 'neither'),
        measure('Error rate', 0.04, 0.01, 'less'),
        measure('Latency p95', 100, 101, 'less'),
        measure('Cost per trace', 1, 2, 'less'),
        measure('Score tone', null, 0.9, 'more'),
        measure('Score faithful', 0.5, 0.9, 'more'),
        { ...measure('Latency p50', 100, 150, 'less'), isNoise: true },
      ]),
    ).toEqual({
      better: ['error rate 0.04 → 0.01', 'score faithful 0.5 → 0.9'],
      worse: ['cost per trace 1 → 2'],
      noise: ['latency p50 100 → 150'],
    })
  })
})
