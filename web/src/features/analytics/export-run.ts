import type { ExportFormat } from '@cairn/sdk'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { downloadBlob } from '../../ui/download.ts'
import { type Received, readExport } from './export-file.ts'
import { type ExportState, exportState } from './export-state.ts'
import type { AnalyticsSearch } from './search.ts'

let running: AbortController | undefined

export function startExport(asked: {
  projectId: string
  filters: FilterValues
  format: ExportFormat
  total: number | undefined
  /** Search parameters of the screen that starts the export. */
  search: AnalyticsSearch
}): void {
  const { projectId, filters, format, total, search } = asked
  running?.abort()
  const own = new AbortController()
  running = own
  /** Ignores an export that a newer one has replaced. */
  const tell = (change: Partial<ExportState>) => {
    if (running === own) exportState.set((state) => state && { ...state, ...change })
  }
  exportState.set(() => ({ format, projectId, total, search, status: 'running', bytes: 0, rows: 0 }))
  const onProgress = (received: Received) => tell(received)
  readExport(projectId, filters, format, { signal: own.signal, onProgress }).then(
    (file) => {
      if (running !== own) return
      downloadBlob(file, `traces-${projectId}-${new Date().toISOString().slice(0, 10)}.${format}`)
      tell({ status: 'done' })
    },
    (error: unknown) => tell(own.signal.aborted ? { status: 'cancelled' } : { status: 'failed', error }),
  )
}

export function cancelExport(): void {
  running?.abort()
}

/** Leaving the page would lose the downloaded part, so the browser asks first. */
window.addEventListener('beforeunload', (event) => {
  if (exportState.get()?.status === 'running') event.preventDefault()
})
