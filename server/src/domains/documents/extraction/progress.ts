/** Phases of an upload, in this order. */
const phases = ['queued', 'reading', 'chunking', 'indexing', 'storing'] as const
export type Phase = (typeof phases)[number]

/** Progress of an upload: the phase, and the pages that are read; both numbers are 0 for files without pages. */
export interface Progress {
  phase: Phase
  pages: { done: number; total: number }
}

/** Called after each page. */
export type OnPage = (done: number, total: number) => void

const percentAt: Record<Phase, number> = { queued: 0, reading: 5, chunking: 70, indexing: 80, storing: 90 }

export function newProgress(): Progress {
  return progressAt('queued')
}

/** Progress at the start of a phase. */
export function progressAt(phase: Phase): Progress {
  return { phase, pages: { done: 0, total: 0 } }
}

/** Progress from 0 to 100, at which the document is searchable. */
export function percentOf({ phase, pages: { done, total } }: Progress): number {
  const share = total > 0 ? (percentAt.chunking - percentAt.reading) * (done / total) : 0
  return Math.floor(percentAt[phase] + share)
}
