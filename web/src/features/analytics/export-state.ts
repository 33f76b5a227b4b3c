import type { ExportFormat } from '@cairn/sdk'
import { useSyncExternalStore } from 'react'
import type { FilterValues } from '../filters/filters.ts'
import { type Received, readExport, saveFile } from './export-file.ts'

export interface ExportState extends Received {
  format: ExportFormat
  projectId: string
  /** How many there were when it began; undefined when that is not known. */
  total: number | undefined
  status: 'running' | 'done' | 'cancelled' | 'failed'
  error?: unknown
}

/** One at a time. It goes on while other screens are looked at. */
let state: ExportState | undefined
let running: AbortController | undefined
const listeners = new Set<() => void>()

function set(next: ExportState | undefined): void {
  state = next
  for (const tell of listeners) tell()
}

export function startExport(
  projectId: string,
  filters: FilterValues,
  format: ExportFormat,
  total: number | undefined,
): void {
  running?.abort()
  const own = new AbortController()
  running = own
  const first: ExportState = { format, projectId, total, status: 'running', bytes: 0, rows: 0 }
  set(first)
  const onProgress = (received: Received) => {
    if (running === own) set({ ...first, ...received })
  }
  readExport(projectId, filters, format, { signal: own.signal, onProgress }).then(
    (file) => {
      if (running !== own || !state) return
      saveFile(file, `traces-${projectId}-${new Date().toISOString().slice(0, 10)}.${format}`)
      set({ ...state, status: 'done' })
    },
    (error: unknown) => {
      if (running !== own || !state) return
      set(own.signal.aborted ? { ...state, status: 'cancelled' } : { ...state, status: 'failed', error })
    },
  )
}

export function cancelExport(): void {
  running?.abort()
}

/** The export that runs, or how the last one went. */
export function useExport(projectId: string): ExportState | undefined {
  const current = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => state,
  )
  return current?.projectId === projectId ? current : undefined
}
