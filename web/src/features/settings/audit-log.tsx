import type { AuditEntry } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useReadMore } from '../../shared/use-read-more.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { actionText } from './actions.ts'
import { AuditDetail } from './audit-detail.tsx'
import { auditQuery } from './queries.ts'

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', title: 'When', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: 'what',
    title: 'Action',
    width: 260,
    grow: true,
    cell: ({ action }) => <span title={action}>{actionText(action)}</span>,
  },
  {
    id: 'which',
    title: 'Ids',
    width: 280,
    cell: ({ params }) => <code className="text-fg-2">{Object.values(params).join(' ')}</code>,
  },
  { id: 'who', title: 'From', width: 150, cell: ({ remote_address }) => <code>{remote_address}</code> },
  { id: 'status', title: 'Response', width: 120, cell: ({ status }) => <Response status={status} /> },
]

function Response({ status }: { status: number | null }) {
  if (status === null) return <StatusBadge kind="running">No response</StatusBadge>
  return <StatusBadge kind={status < 400 ? 'success' : 'error'}>{String(status)}</StatusBadge>
}

/** Changes through the console, newest first, in one project or on the whole server. */
export function AuditLog({
  projectId,
  action,
  open,
  onChange,
}: {
  projectId?: string
  /** Shows only changes of this kind. */
  action: string | undefined
  /** The open entry. */
  open: string | undefined
  onChange: (search: { action?: string | undefined; open?: string | undefined }) => void
}) {
  const list = useInfiniteQuery(auditQuery(projectId, action))
  const { data, error, refetch } = list
  const readMore = useReadMore(list)
  const entries = data?.pages.flatMap((page) => page.entries)
  const shown = entries?.find(({ entry_id }) => entry_id === open)
  const actions = new Set([...(action ? [action] : []), ...(entries ?? []).map((entry) => entry.action)])
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-2 border-b px-4 py-1.5">
          <Select
            aria-label="Kind of change"
            className="max-w-80"
            value={action ?? ''}
            onChange={(event) => onChange({ action: event.target.value || undefined })}
          >
            <option value="">All changes</option>
            {[...actions].sort().map((one) => (
              <option key={one} value={one}>
                {actionText(one)}
              </option>
            ))}
          </Select>
        </div>
        <QueryTable
          query={{ data: entries, error, refetch }}
          name="audit"
          label="Changes"
          columns={columns}
          rowKey={({ entry_id }) => entry_id}
          selected={open}
          onOpen={({ entry_id }) => onChange({ action, open: entry_id })}
          onEnd={readMore}
          empty={
            <EmptyState title="No changes yet">
              <p>
                Every change with the admin token, here or by API, is logged: its time, remote address,
                request without secrets, and response.
              </p>
            </EmptyState>
          }
          queryName="the audit log"
        />
      </div>
      {shown && (
        <SidePanel label={actionText(shown.action)} onClose={() => onChange({ action })}>
          <AuditDetail
            entry={shown}
            onOnly={() => onChange({ action: shown.action, open: shown.entry_id })}
          />
        </SidePanel>
      )}
    </>
  )
}
