import type { ScopeValues } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { filesQuery, scopesQuery } from '../../shared/queries/chats.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { DocumentPanel } from './document-panel.tsx'
import { DropZone } from './drop-zone.tsx'
import { FileTable } from './file-table.tsx'
import { FilesBar } from './files-bar.tsx'
import { UploadButtons, useFilePicker } from './upload-buttons.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { UploadList } from './upload-list.tsx'
import { addUploads, isUnderWay, useUploads } from './upload-queue.ts'

const from = '/signed-in/projects/$projectId/chats/$chatId/files'

export const FilesPage = createLazyRoute(from)({ component: Files })

/** The tab with the files of a chat: uploads, the list, and one open document. */
function Files() {
  const { chatId } = useParams({ from })
  const { q, file, chunk, at } = useSearch({ from })
  const queryClient = useQueryClient()
  const navigate = useNavigate({ from: '/projects/$projectId/chats/$chatId/files' })
  const isWatched = useUploads(chatId).some(isUnderWay)
  const { data, error, refetch } = useQuery(filesQuery(chatId, { isWatched }))
  const { data: scopes } = useQuery(scopesQuery(chatId))
  const [chosen, setChosen] = useState<readonly File[]>([])

  const choose = async (files: readonly File[], withScopes = false) => {
    if (files.length === 0) return
    const defined = await queryClient.ensureQueryData(scopesQuery(chatId)).catch(() => [])
    if (withScopes || defined.length > 0) setChosen(files)
    else addUploads(chatId, files, {})
  }
  const upload = (values: ScopeValues) => {
    addUploads(chatId, chosen, values)
    setChosen([])
  }
  const open = (fileId: string | undefined) =>
    navigate({
      search: (search) => ({ ...search, file: fileId, chunk: undefined, at: undefined }),
      replace: fileId !== undefined && file !== undefined,
    })
  const { picker, pick } = useFilePicker(choose)
  const buttons = <UploadButtons hasScopes={(scopes?.length ?? 0) > 0} onPick={pick} />
  const isEmpty = data?.total_files === 0 && !data.uploads

  return (
    <DropZone onFiles={choose}>
      {picker}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {!isEmpty && (
          <FilesBar
            query={q}
            data={data}
            onQuery={(text) =>
              navigate({ search: (search) => ({ ...search, q: text || undefined }), replace: true })
            }
          >
            {buttons}
          </FilesBar>
        )}
        <UploadList chatId={chatId} onServer={data?.uploads ?? []} />
        <QueryState query={{ data, error, refetch }} name="the files" fill>
          {(data) =>
            isEmpty ? (
              <EmptyState title="No files yet">
                <p>
                  Drop files here or choose them: PDF, Word, Markdown, HTML, text, CSV, JSON, YAML, XML and
                  code. Each file is split into chunks, and answers cite their passages.
                </p>
                {buttons}
              </EmptyState>
            ) : (
              <FileTable files={data.files} query={q} selected={file} onOpen={open} />
            )
          }
        </QueryState>
      </div>
      {file !== undefined && (
        <DocumentPanel
          key={file}
          chatId={chatId}
          fileId={file}
          chunkId={chunk}
          at={at}
          onClose={() => open(undefined)}
        />
      )}
      {chosen.length > 0 && (
        <UploadDialog files={chosen} scopes={scopes ?? []} onClose={() => setChosen([])} onUpload={upload} />
      )}
    </DropZone>
  )
}
