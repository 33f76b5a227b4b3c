import { CairnApiError } from '@cairn/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isNoResponse } from '../ui/connection.ts'
import { noticeLoss } from './connection.ts'
import { sessionQuery } from './session.ts'

/** When the session has expired, the browser goes to the sign-in page, which leads back to this address. */
function onError(error: unknown): void {
  if (isNoResponse(error)) void noticeLoss()
  if (!(error instanceof CairnApiError) || error.status !== 401) return
  if (window.location.pathname === '/sign-in') return
  queryClient.setQueryData(sessionQuery.queryKey, { signed_in: false, expires_at: null })
  const { pathname, search } = window.location
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client has already repeated requests that a busy server did not process; other errors are shown at once.
      retry: false,
    },
  },
})
