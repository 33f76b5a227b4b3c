/** What is being done for a file, in this order. */
const phases = ['queued', 'reading', 'cutting', 'indexing', 'storing'] as const
export type Phase = (typeof phases)[number]

/**
 * How far a file is: the phase, and the pages read of those there are. Shared memory: the thread that reads the file
 * writes it, and whoever wants to know looks, also while that thread is busy.
 */
export type Progress = Int32Array<SharedArrayBuffer>

/** Told of each page that is read. */
export type OnPage = (done: number, total: number) => void

const percentAt: Record<Phase, number> = { queued: 0, reading: 5, cutting: 70, indexing: 80, storing: 90 }

export function newProgress(): Progress {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
}

export function reportPhase(progress: Progress | undefined, phase: Phase): void {
  progress?.set([phases.indexOf(phase), 0, 0])
}

export function reportPages(progress: Progress | undefined, done: number, total: number): void {
  progress?.set([phases.indexOf('reading'), done, total])
}

export interface Reading {
  phase: Phase
  /** 0..100, of the whole way to being searchable. */
  percent: number
  /** Both 0 for files without pages. */
  pages: { done: number; total: number }
}

export function readProgress(progress: Progress): Reading {
  const [at = 0, done = 0, total = 0] = progress
  const phase = phases[at] ?? 'queued'
  const share = total > 0 ? (percentAt.cutting - percentAt.reading) * (done / total) : 0
  return { phase, percent: Math.floor(percentAt[phase] + share), pages: { done, total } }
}
