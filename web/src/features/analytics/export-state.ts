import type { ExportFormat } from '@cairn/sdk'
import { createSharedState, useSharedState } from '../../ui/shared-state.ts'
import type { AnalyticsSearch } from './search.ts'

export interface ExportState {
  format: ExportFormat
  projectId: string
  /** Search parameters of the screen that started the export, for the link back to it. */
  search: AnalyticsSearch
  bytes: number
  rows: number
  /** Number of traces at the start; undefined if it is unknown. */
  total: number | undefined
  status: 'running' | 'done' | 'cancelled' | 'failed'
  error?: unknown
}

/** The one export of this tab. It continues on other screens, and every screen shows it. */
export const exportState = createSharedState<ExportState | undefined>(undefined)

/** The running export of a project, or the outcome of the last one. */
export function useExport(projectId: string): ExportState | undefined {
  const current = useSharedState(exportState)
  return current?.projectId === projectId ? current : undefined
}
