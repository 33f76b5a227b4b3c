import { expect, it } from 'vitest'
import { type Cluster, layOut } from './layout.ts'

/** A document with its chain of chunks. */
function cluster(chunks: number): Cluster {
  const numbers = Array.from({ length: chunks }, (_, at) => at + 1)
  return { chunks, links: numbers.flatMap((at) => [0, at, 0.2, ...(at > 1 ? [at - 1, at, 1] : [])]) }
}

/** Centre and radius of each document. */
function circlesOf(clusters: readonly Cluster[], places: Float32Array) {
  let at = 0
  return clusters.map(({ chunks }) => {
    const [x = 0, y = 0] = [places[at], places[at + 1]]
    let r = 0
    for (let node = 1; node <= chunks; node++) {
      const [dx, dy] = [(places[at + 2 * node] ?? 0) - x, (places[at + 2 * node + 1] ?? 0) - y]
      r = Math.max(r, Math.hypot(dx, dy))
    }
    at += 2 * (chunks + 1)
    return { x, y, r }
  })
}

const clusters = [cluster(40), cluster(1), cluster(0), cluster(120), cluster(7), cluster(7)]

it('is deterministic', () => {
  expect(layOut(clusters)).toEqual(layOut(clusters))
})

it('keeps documents apart from one another and from occupied circles', () => {
  const taken = { x: 0, y: 0, r: 200 }
  const circles = [taken, ...circlesOf(clusters, layOut(clusters, [taken]))]
  circles.forEach((a, index) => {
    for (const b of circles.slice(index + 1))
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(a.r + b.r)
  })
})

it('does not overlap chunks', () => {
  const places = layOut([cluster(60)])
  const points = Array.from(
    { length: 61 },
    (_, at) => [places[2 * at] ?? 0, places[2 * at + 1] ?? 0] as const,
  )
  points.forEach(([x, y], index) => {
    for (const [a, b] of points.slice(index + 1)) expect(Math.hypot(x - a, y - b)).toBeGreaterThan(2)
  })
})
