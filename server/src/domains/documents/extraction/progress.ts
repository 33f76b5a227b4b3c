/** What is being done for a file, in this order. */
const phases = ['queued', 'reading', 'cutting', 'indexing', 'storing'] as const
export type Phase = (typeof phases)[number]

/** How far a file is: the phase, and the pages read of those there are; both 0 for files without pages. */
export interface Progress {
  phase: Phase
  pages: { done: number; total: number }
}

/** Told of each page that is read. */
export type OnPage = (done: number, total: number) => void

const percentAt: Record<Phase, number> = { queued: 0, reading: 5, cutting: 70, indexing: 80, storing: 90 }

export function newProgress(): Progress {
  return progressAt('queued')
}

/** The beginning of a phase. */
export function progressAt(phase: Phase): Progress {
  return { phase, pages: { done: 0, total: 0 } }
}

/** 0..100, of the whole way to being searchable. */
export function percentOf({ phase, pages: { done, total } }: Progress): number {
  const share = total > 0 ? (percentAt.cutting - percentAt.reading) * (done / total) : 0
  return Math.floor(percentAt[phase] + share)
}
