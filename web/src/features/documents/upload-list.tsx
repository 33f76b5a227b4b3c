import type { FileStatus } from '@cairn/sdk'
import { RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatBytes, plural } from '../../ui/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { clearEnded, isUnderWay, removeUpload, retryUpload, type Upload, useUploads } from './upload-queue.ts'

/** The uploads of a chat with their progress and errors. */
export function UploadList({ chatId, onServer }: { chatId: string; onServer: readonly FileStatus[] }) {
  const uploads = useUploads(chatId)
  const [own, others] = matched(uploads, onServer)
  if (uploads.length === 0 && others.length === 0) return null
  const ended = uploads.filter((upload) => !isUnderWay(upload)).length
  const total = uploads.length + others.length
  return (
    <section aria-label="Uploads" className="shrink-0 border-b bg-surface">
      <div className="flex h-9 items-center justify-between px-4">
        <h2 className="font-medium" aria-live="polite">
          {ended < total
            ? `Uploading: ${ended} of ${plural(total, 'file')} done`
            : `${plural(total, 'upload')} ended`}
        </h2>
        {ended > 0 && <Button onClick={() => clearEnded(chatId)}>Clear the list</Button>}
      </div>
      <ul className="max-h-52 overflow-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} status={own.get(upload.id)} />
        ))}
        {others.map((status) => (
          <Row key={status.file_id} name={status.filename} size={status.size_bytes}>
            <Bar name={status.filename} percent={status.progress} text={phaseOf(status)} />
          </Row>
        ))}
      </ul>
    </section>
  )
}

/** Matches the uploads of the server with uploads of this tab by size; the rest belong to other tabs. */
function matched(
  uploads: readonly Upload[],
  onServer: readonly FileStatus[],
): [Map<number, FileStatus>, FileStatus[]] {
  const left = [...onServer]
  const own = new Map<number, FileStatus>()
  for (const { id, file, state } of uploads) {
    if (state !== 'processing' && state !== 'sending') continue
    const at = left.findIndex(({ size_bytes }) => size_bytes === file.size)
    const status = left[at]
    if (!status) continue
    own.set(id, status)
    left.splice(at, 1)
  }
  return [own, left]
}

/** The message of the server without the file name: `is being read, page 3 of 9`. */
function phaseOf({ filename, message }: FileStatus): string {
  return message.startsWith(filename) ? message.slice(filename.length).trim() : message
}

function UploadRow({ upload, status }: { upload: Upload; status: FileStatus | undefined }) {
  const { id, file, state, sent, error, result } = upload
  return (
    <Row
      name={file.name}
      size={file.size}
      error={state === 'failed' ? error : undefined}
      note={
        result?.duplicate &&
        `The same content was uploaded just before as ${result.filename}, so this copy was not added.`
      }
    >
      {state === 'waiting' && <span className="text-fg-3">Waiting</span>}
      {state === 'sending' && (
        <Bar name={file.name} percent={sent * 100} text={`${formatBytes(sent * file.size)} sent`} />
      )}
      {state === 'processing' && (
        <Bar
          name={file.name}
          percent={status?.progress ?? 0}
          text={status ? phaseOf(status) : 'Sent; the server is reading it'}
        />
      )}
      {state === 'done' && (
        <StatusBadge kind={result?.duplicate ? 'info' : 'success'}>
          {result?.duplicate ? 'Duplicate' : `Searchable in ${plural(result?.chunk_count ?? 0, 'chunk')}`}
        </StatusBadge>
      )}
      {state === 'failed' && (
        <>
          <StatusBadge kind="error">Failed</StatusBadge>
          <IconButton label={`Try ${file.name} again`} onClick={() => retryUpload(id)}>
            <RotateCw size={14} />
          </IconButton>
        </>
      )}
      <IconButton
        label={isUnderWay(upload) ? `Stop ${file.name}` : `Remove ${file.name} from the list`}
        onClick={() => removeUpload(id)}
      >
        <X size={14} />
      </IconButton>
    </Row>
  )
}

function Row({
  name,
  size,
  error,
  note,
  children,
}: {
  name: string
  size: number
  error?: string | undefined
  note?: string | undefined
  children: ReactNode
}) {
  return (
    <li className="border-t px-4 py-0.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3">
        <span className="min-w-24 flex-1 truncate" title={name}>
          {name}
        </span>
        <span className="w-16 shrink-0 text-right text-fg-3 tabular-nums">{formatBytes(size)}</span>
        <span className="flex min-w-0 items-center justify-end gap-1 max-md:w-full md:w-[26rem]">
          {children}
        </span>
      </div>
      {error && <p className="pb-1 text-sm text-error">{error}</p>}
      {note && <p className="pb-1 text-sm text-fg-2">{note}</p>}
    </li>
  )
}

function Bar({ name, percent, text }: { name: string; percent: number; text: string }) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3">
      <Progress label={`Progress of ${name}`} done={percent} total={100} className="w-32 shrink-0" />
      <span className="truncate text-sm text-fg-2 tabular-nums" title={text}>
        {text}
      </span>
    </span>
  )
}
