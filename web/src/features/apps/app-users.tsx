import type { ApplicationDetail, ApplicationUser } from '@cairn/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { client } from '../../shared/client.ts'
import { useReadMore } from '../../shared/use-read-more.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatBytes, formatCount, plural } from '../../ui/format.ts'
import { EmptyNote } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { PrivateNote } from './private-note.tsx'
import { usersQuery } from './queries.ts'
import { useAppChange } from './use-app-change.ts'

function columnsOf(onDelete: (user: ApplicationUser) => void): readonly Column<ApplicationUser>[] {
  return [
    { id: 'user', title: 'User', width: 240, grow: true, cell: ({ user_id }) => <CopyId id={user_id} /> },
    { id: 'files', title: 'Files', width: 80, align: 'right', cell: ({ files }) => formatCount(files) },
    {
      id: 'size',
      title: 'Size',
      width: 96,
      align: 'right',
      cell: ({ total_size_bytes }) => formatBytes(total_size_bytes),
    },
    { id: 'chat', title: 'Private chat', width: 220, cell: ({ chat_id }) => <CopyId id={chat_id} /> },
    { id: 'created', title: 'First seen', width: 128, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      id: 'delete',
      title: 'Delete',
      width: 96,
      cell: (user) => (
        <IconButton
          label={`Delete ${user.user_id}`}
          onClick={(event) => {
            event.stopPropagation()
            onDelete(user)
          }}
        >
          <Trash2 size={14} />
        </IconButton>
      ),
    },
  ]
}

/** The users of an application with their ids and sizes. */
export function AppUsers({ app: { app_id: appId } }: { app: ApplicationDetail }) {
  const list = useInfiniteQuery(usersQuery(appId))
  const { data, error, refetch, isFetchingNextPage } = list
  const readMore = useReadMore(list)
  const [deleting, setDeleting] = useState<ApplicationUser>()
  const columns = useMemo(() => columnsOf(setDeleting), [])
  const users = useMemo(() => data?.pages.flatMap((page) => page.users), [data])
  const remove = useAppChange((userId: string) => client.console.apps.deleteUser(appId, userId))
  return (
    <QueryState query={{ data: users, error, refetch }} name="the users">
      {(users) => (
        <div className="flex min-h-0 flex-1 flex-col gap-4">
          <PrivateNote />
          {users.length === 0 ? (
            <EmptyNote>
              No users yet. The first call with an ID token that the settings accept creates a user; the
              Integration tab has the code.
            </EmptyNote>
          ) : (
            <div className="-mx-4 flex min-h-64 flex-1 border-t">
              <DataTable
                name="app-users"
                label="Users"
                columns={columns}
                rows={users}
                rowKey={({ user_id }) => user_id}
                onEnd={readMore}
                footer={isFetchingNextPage ? 'Loading more…' : undefined}
              />
            </div>
          )}
          <ConfirmDialog
            title="Delete this user?"
            action="Delete user"
            open={deleting !== undefined}
            onClose={() => setDeleting(undefined)}
            onConfirm={() => remove.mutateAsync(deleting?.user_id ?? '')}
            consequences={
              deleting && (
                <p>
                  This deletes <code>{deleting.user_id}</code> and the private chat with{' '}
                  {plural(deleting.files, 'file')} ({formatBytes(deleting.total_size_bytes)}). This cannot be
                  undone. The next call of the same person creates a new, empty user.
                </p>
              )
            }
          />
        </div>
      )}
    </QueryState>
  )
}
