import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { GraphSearch } from './search.ts'

const from = '/signed-in/projects/$projectId/graph'

/** What the address says, and how to change a part of it; a change that is no step of its own replaces the last one. */
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
