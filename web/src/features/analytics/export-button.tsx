import type { ExportFormat } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { listOf } from '../../shared/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatBytes, formatCount, formatTime, plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { cancelExport, startExport } from './export-run.ts'
import { type ExportState, useExport } from './export-state.ts'
import { figuresQuery, type View } from './queries.ts'
import type { AnalyticsSearch } from './search.ts'

const formats: Record<ExportFormat, string> = {
  csv: 'CSV, for spreadsheets',
  json: 'JSON, one list',
  jsonl: 'JSON Lines, one trace per line',
}

/** Exports the traces of the view as a file. The export continues when the dialog is closed or another screen is opened. */
export function ExportButton({ view, search }: { view: View; search: AnalyticsSearch }) {
  const [open, setOpen] = useState(false)
  const state = useExport(view.projectId)
  const running = state?.status === 'running'
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download size={14} aria-hidden="true" />
        <span className={running ? '' : 'max-sm:sr-only'}>
          {running ? `Exporting, ${plural(state.rows, 'row')}` : 'Export'}
        </span>
      </Button>
      <Dialog title="Export traces" open={open} onClose={() => setOpen(false)}>
        <ExportForm view={view} search={search} state={state} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function ExportForm({
  view: { projectId, filters, period },
  search,
  state,
  onClose,
}: {
  view: View
  search: AnalyticsSearch
  state: ExportState | undefined
  onClose: () => void
}) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { data } = useQuery(figuresQuery(projectId, filters, period.elapsed, period.interval))
  const running = state?.status === 'running'
  const chips = Object.entries(filters).map(([name, value]) => `${name} ${listOf(value).join(', ')}`)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        startExport({
          projectId,
          filters: { ...filters, ...period.elapsed },
          format,
          total: data?.total_queries,
          search,
        })
      }}
    >
      <p className="text-fg-2">
        {data ? plural(data.total_queries, 'trace') : 'The traces'} from{' '}
        {formatTime(period.elapsed.start_date)} to {formatTime(period.elapsed.end_date)}
        {chips.length > 0 && `, with ${chips.join('; ')}`}. The file includes their scores.
      </p>
      <Field label="Format">
        {(ids) => (
          <Select
            {...ids}
            value={running ? state.format : format}
            disabled={running}
            onChange={(event) => setFormat(event.target.value as ExportFormat)}
          >
            {Object.entries(formats).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {state && <ExportProgress state={state} />}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {/* Without keys React would reuse one element for both buttons, and the click that cancels would export again. */}
        {running ? (
          <Button key="cancel" variant="danger" onClick={cancelExport}>
            Cancel export
          </Button>
        ) : (
          <Button key="export" type="submit" variant="primary">
            Export
          </Button>
        )}
      </DialogActions>
    </form>
  )
}

/** The progress of the export in rows and bytes. */
function ExportProgress({ state: { status, rows, bytes, total, error } }: { state: ExportState }) {
  if (status === 'failed') return <ErrorNotice error={error} title="The export failed" />
  const received = `${formatCount(rows)}${total === undefined ? '' : ` of ${formatCount(total)}`} rows, ${formatBytes(bytes)}`
  return (
    <div className="flex flex-col gap-1.5" role="status">
      {total !== undefined && (
        <Progress label="Export" done={rows} total={status === 'done' ? rows : total} />
      )}
      <div className="flex justify-between gap-4 tabular-nums">
        <span>{received}</span>
        {status === 'done' && <StatusBadge kind="success">Saved</StatusBadge>}
        {status === 'cancelled' && <StatusBadge kind="info">Cancelled, nothing was saved</StatusBadge>}
      </div>
    </div>
  )
}
