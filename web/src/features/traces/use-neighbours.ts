import { useEffect, useRef } from 'react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { isTyping } from '../../ui/typing.ts'
import { orderOf, type TraceOrder } from './search.ts'
import { useTraces } from './use-traces.ts'

/** The traces before and after a trace in a list. */
export interface Neighbours {
  previous: string | undefined
  next: string | undefined
}

/** The neighbours of a trace in the list of a view; none if it is not among the loaded traces of the list. */
export function useNeighbours(
  projectId: string,
  view: FilterValues,
  order: TraceOrder,
  traceId: string,
): Neighbours {
  const { rows, readMore } = useTraces(projectId, view, orderOf(order), false)
  const at = rows?.findIndex(({ trace_id }) => trace_id === traceId) ?? -1
  const isLast = rows !== undefined && at >= 0 && at === rows.length - 1
  useEffect(() => {
    if (isLast) readMore()
  }, [isLast, readMore])
  return at < 0
    ? { previous: undefined, next: undefined }
    : { previous: rows?.[at - 1]?.trace_id, next: rows?.[at + 1]?.trace_id }
}

/** `n` and `p` open the next and the previous trace. */
export function useNeighbourKeys({ previous, next }: Neighbours, onTrace: (traceId: string) => void): void {
  const latest = useRef({ previous, next, onTrace })
  latest.current = { previous, next, onTrace }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"],[role="menu"]')) return
      const { onTrace: open, ...ids } = latest.current
      const id = event.key === 'n' ? ids.next : event.key === 'p' ? ids.previous : undefined
      if (id !== undefined) open(id)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
