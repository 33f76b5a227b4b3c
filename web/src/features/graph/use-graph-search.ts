import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { GraphSearch } from './search.ts'

const from = '/signed-in/projects/$projectId/graph'

/** The state in the address, and a function that changes part of it; `replace` adds no entry to the history. */
export function useGraphSearch() {
  const search: GraphSearch = useSearch({ from })
  const navigate = useNavigate({ from: '/projects/$projectId/graph' })
  const change = useCallback(
    (changes: GraphSearch, { replace = false } = {}) => {
      void navigate({ search: (before: GraphSearch) => ({ ...before, ...changes }), replace })
    },
    [navigate],
  )
  return { search, change }
}
