import type { ExportFormat } from '@cairn/sdk'
import { client } from '../../shared/client.ts'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { rowCounter } from './row-counter.ts'
import { toFilters } from './search.ts'

/** Chunks are merged into a blob of this size, which the browser can move to disk. */
const partBytes = 16_000_000
const types: Record<ExportFormat, string> = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
}

export interface Received {
  bytes: number
  rows: number
}

/** Downloads all traces that match the filters; `onProgress` is called after each chunk. */
export async function readExport(
  projectId: string,
  filters: FilterValues,
  format: ExportFormat,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (received: Received) => void },
): Promise<Blob> {
  const response = await client.analytics.export(projectId, { ...toFilters(filters), format }, { signal })
  const count = rowCounter(format)
  const type = types[format]
  let file = new Blob([], { type })
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let waiting = 0
  let bytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (value) {
      pieces.push(value)
      waiting += value.length
      bytes += value.length
      onProgress({ bytes, rows: count(value) })
    }
    if (done || waiting > partBytes) {
      file = new Blob([file, ...pieces], { type })
      pieces = []
      waiting = 0
    }
    if (done) return file
  }
}
