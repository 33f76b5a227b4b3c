import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { SkeletonBlock, SkeletonRows } from './skeleton.tsx'

export interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

/**
 * The content of a query, or the state in its place: a skeleton, the error with a button that tries again, or the empty
 * state. When a later read fails, the content stays, with the error above it.
 */
export function QueryState<Data>({
  query: { data, error, refetch },
  name,
  fill,
  rows,
  skeleton,
  empty,
  children,
}: {
  query: Query<Data>
  /** For the texts of the states: `the chats`. */
  name: string
  /** The content takes all the room and scrolls by itself. */
  fill?: boolean
  /** Rows of the skeleton. */
  rows?: number
  /** A skeleton in the shape of the content, in the place of rows. */
  skeleton?: ReactNode
  /** Shown for an empty list. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}) {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)} could not be loaded`
  const notice = error ? <ErrorNotice error={error} title={title} retry={() => void refetch()} /> : null
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0
  const content =
    data !== undefined ? (
      isEmpty ? (
        empty
      ) : (
        children(data)
      )
    ) : error ? null : skeleton ? (
      <SkeletonBlock name={name} {...(fill && { className: 'flex min-h-0 flex-1 flex-col' })}>
        {skeleton}
      </SkeletonBlock>
    ) : (
      <SkeletonRows {...(rows !== undefined && { rows })} name={name} />
    )
  if (!fill) {
    return (
      <>
        {notice}
        {content}
      </>
    )
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {notice && <div className="p-4">{notice}</div>}
      {content}
    </div>
  )
}
