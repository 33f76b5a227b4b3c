import { plural } from '../ui/format.ts'
import { ErrorNotice } from '../ui/states/error-notice.tsx'

/** Shown below the last loaded row of a list: the error of the next page, a note that it is loading, or the total. */
export function ListFooter({
  list: { error, hasNextPage, fetchNextPage },
  count,
  noun,
}: {
  list: { error: unknown; hasNextPage: boolean; fetchNextPage: () => unknown }
  /** Number of loaded rows. */
  count: number
  /** Name of one row: `session`. */
  noun: string
}) {
  if (error) {
    return (
      <ErrorNotice
        error={error}
        title={`No further ${noun}s could be loaded`}
        retry={() => void fetchNextPage()}
      />
    )
  }
  return hasNextPage ? 'Loading more…' : `${plural(count, noun)} in total`
}
