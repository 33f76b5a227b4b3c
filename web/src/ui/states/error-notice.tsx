import { CairnApiError } from '@cairn/sdk'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { connection, isNoResponse } from '../connection.ts'
import { CopyId } from '../copy-button.tsx'
import { useSharedState } from '../shared-state.ts'

/** The message of an error; the message of the server if it sent one. */
export function messageOf(error: unknown): string {
  if (error instanceof CairnApiError) return error.message
  if (isNoResponse(error)) return 'The server does not respond. Is it running?'
  return error instanceof Error ? error.message : String(error)
}

/** The id of the failed request, which the log of the server contains. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof CairnApiError ? error.requestId : undefined
}

/**
 * An error in the place where it happened: what failed, why, the id of the request, and a button that tries again. While the banner says that the
 * server does not respond, failed reads are one quiet line.
 */
export function ErrorNotice({
  error,
  requestId = requestIdOf(error),
  title,
  retry,
  children,
}: {
  error: unknown
  requestId?: string | undefined
  title?: string
  retry?: (() => void) | undefined
  children?: ReactNode
}) {
  const { isLost } = useSharedState(connection)
  if (isLost && retry && isNoResponse(error))
    return <p className="py-1 text-fg-3">{title ?? 'Not loaded'}.</p>
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md border border-error bg-error-surface p-3">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-error" aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {title && <p className="font-semibold">{title}</p>}
        <p className="break-words">{messageOf(error)}</p>
        {requestId !== undefined && (
          <p className="text-sm text-fg-2">
            Request <CopyId id={requestId} />
          </p>
        )}
        {children}
      </div>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
