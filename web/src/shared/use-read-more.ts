import { useCallback } from 'react'

interface PagedQuery {
  hasNextPage: boolean
  isFetching: boolean
  isFetchNextPageError: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => unknown
}

/**
 * Returns the `onEnd` of a list: it loads the next page. After a failed page it does nothing until the user tries again,
 * because each failure renders the list, and the list then calls `onEnd` again.
 */
export function useReadMore({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: PagedQuery) {
  return useCallback(() => {
    if (!hasNextPage || isFetching || isFetchNextPageError) return
    // Two effects of one render may call this; the second call joins the first.
    void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}
