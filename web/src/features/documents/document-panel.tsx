import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { filesQuery } from '../../shared/queries/chats.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatBytes, formatDay, plural } from '../../ui/format.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { DocumentView } from './document-view.tsx'
import { fileType } from './file-type.ts'
import { ScopeChips } from './scope-chips.tsx'

/** A side panel with a document: its facts, and its chunks in order with one chunk highlighted. */
export function DocumentPanel({
  chatId,
  fileId,
  chunkId,
  at,
  onClose,
}: {
  chatId: string
  fileId: string
  /** The highlighted chunk. */
  chunkId?: string | undefined
  /** The highlighted characters of that chunk: `12-80`. */
  at?: string | undefined
  onClose: () => void
}) {
  const { data } = useQuery(filesQuery(chatId))
  const file = data?.files.find(({ file_id }) => file_id === fileId)
  const [deleting, setDeleting] = useState(false)
  const queryClient = useQueryClient()
  const remove = async () => {
    await client.documents.delete(chatId, fileId)
    onClose()
    // Queries about the deleted file would fail, so they are not refetched.
    await queryClient.invalidateQueries({
      queryKey: ['chats'],
      predicate: ({ queryKey }) => !queryKey.includes(fileId),
    })
  }
  return (
    <SidePanel
      label={file?.filename ?? 'Document'}
      onClose={onClose}
      actions={
        file && (
          <IconButton label="Delete the file" onClick={() => setDeleting(true)}>
            <Trash2 size={14} />
          </IconButton>
        )
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        {file && (
          <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 text-fg-2">
            <span>{fileType(file.filename)}</span>
            <span className="tabular-nums">{formatBytes(file.size_bytes)}</span>
            {file.pages !== null && <span className="tabular-nums">{plural(file.pages, 'page')}</span>}
            <span className="tabular-nums">{plural(file.chunk_count, 'chunk')}</span>
            <span>Uploaded {formatDay(file.upload_date)}</span>
            <ScopeChips values={file.scope_values} />
            <CopyId id={file.file_id} className="max-w-60" />
          </div>
        )}
        <DocumentView chatId={chatId} fileId={fileId} chunkId={chunkId} at={at} />
      </div>
      {file && (
        <ConfirmDialog
          title={`Delete ${file.filename}?`}
          consequences={`This deletes the file, its ${plural(file.chunk_count, 'chunk')} and their relationships. Answers no longer use them. This cannot be undone.`}
          action="Delete the file"
          open={deleting}
          onClose={() => setDeleting(false)}
          onConfirm={remove}
        />
      )}
    </SidePanel>
  )
}
