import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { graphQuery, statusQuery } from './queries.ts'

/** Number of documents that wait for their relationships. The graph is refetched whenever it falls. */
export function useRelating(chatId: string): number {
  const relating = useQuery(statusQuery(chatId)).data?.relating ?? 0
  const before = useRef(0)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (relating < before.current) {
      void queryClient.invalidateQueries({ queryKey: graphQuery(chatId).queryKey, exact: true })
    }
    before.current = relating
  }, [relating, chatId, queryClient])
  return relating
}
