import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { isReachable } from '../shared/connection.ts'
import { Button } from '../ui/button.tsx'
import { connection } from '../ui/connection.ts'
import { useSharedState } from '../ui/shared-state.ts'

const retryMs = 3000

/** Says that the server does not respond. When it responds again, the failed queries run again. */
export function ConnectionBanner() {
  const { isLost } = useSharedState(connection)
  const queryClient = useQueryClient()
  const retry = useCallback(async () => {
    if (!(await isReachable())) return
    connection.set(() => ({ isLost: false }))
    await queryClient.refetchQueries({ predicate: ({ state }) => state.error !== null })
  }, [queryClient])
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => void retry(), retryMs)
    return () => clearInterval(timer)
  }, [isLost, retry])
  if (!isLost) return null
  return (
    <div role="alert" className="flex items-center gap-2 border-b border-error bg-error-surface px-4 py-1.5">
      <WifiOff size={14} className="shrink-0 text-error" aria-hidden="true" />
      <p className="flex-1">
        <span className="font-semibold">No connection to the server.</span> The page continues when it
        responds again.
      </p>
      <Button onClick={() => void retry()}>Try again</Button>
    </div>
  )
}
