import { ChevronDown, ChevronUp } from 'lucide-react'
import type { FilterValues } from '../../shared/filters/filters.ts'
import { IconButton } from '../../ui/button.tsx'
import type { TraceOrder } from './search.ts'
import { useNeighbourKeys, useNeighbours } from './use-neighbours.ts'

/** Buttons, with keys, for the next and the previous trace of the list in which a trace was opened. */
export function NeighbourButtons({
  projectId,
  traceId,
  view,
  order,
  onTrace,
}: {
  projectId: string
  traceId: string
  /** The filters of the list. */
  view: FilterValues
  order: TraceOrder
  onTrace: (traceId: string) => void
}) {
  const { previous, next } = useNeighbours(projectId, view, order, traceId)
  useNeighbourKeys({ previous, next }, onTrace)
  if (previous === undefined && next === undefined) return null
  const open = (id: string | undefined) => () => id !== undefined && onTrace(id)
  return (
    <>
      <IconButton label="Previous trace (p)" disabled={previous === undefined} onClick={open(previous)}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton label="Next trace (n)" disabled={next === undefined} onClick={open(next)}>
        <ChevronDown size={16} />
      </IconButton>
    </>
  )
}
