import type { ExportFormat } from '@cairn/sdk'
import { createSharedState, useSharedState } from '../../ui/shared-state.ts'
import type { AnalyticsSearch } from './search.ts'

export interface ExportState {
  format: ExportFormat
  projectId: string
  /** Where it was begun, to come back to. */
  search: AnalyticsSearch
  bytes: number
  rows: number
  /** How many there were when it began; undefined when that is not known. */
  total: number | undefined
  status: 'running' | 'done' | 'cancelled' | 'failed'
  error?: unknown
}

/** One at a time. It goes on while other screens are looked at, and every screen shows it. */
export const exportState = createSharedState<ExportState | undefined>(undefined)

/** The export that runs, or how the last one went. */
export function useExport(projectId: string): ExportState | undefined {
  const current = useSharedState(exportState)
  return current?.projectId === projectId ? current : undefined
}
