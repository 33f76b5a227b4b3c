import { lastSaid } from '@cairn/contract/conversations'
import type { TraceSummary } from '@cairn/sdk'
import clsx from 'clsx'
import { useMemo } from 'react'
import { formatDuration, formatMoney, noPrice } from '../../ui/format.ts'
import { Ago } from '../../ui/time.tsx'
import { TraceStatus } from '../traces/index.ts'

const shownText = 4000

function Said({ text, className }: { text: string; className: string }) {
  const said = useMemo(() => lastSaid(text), [text])
  return (
    <div
      className={clsx('max-w-[85%] rounded-md border px-3 py-2 break-words whitespace-pre-wrap', className)}
    >
      {said.length > shownText
        ? `${said.slice(0, shownText)}…`
        : said || <span className="text-fg-2">No output</span>}
    </div>
  )
}

/** One trace of a session: input, output, and a button that opens the trace. */
export function Turn({
  turn,
  selected,
  onOpen,
}: {
  turn: TraceSummary
  selected: boolean
  onOpen: () => void
}) {
  return (
    <li className="flex flex-col gap-2" {...(selected && { 'aria-current': true as const })}>
      <Said text={turn.input} className="self-end bg-surface" />
      <Said text={turn.output} className={clsx('self-start', turn.status === 'error' && 'border-error')} />
      <button
        type="button"
        className={clsx(
          'flex flex-wrap items-center gap-x-3 self-start rounded-sm px-1 text-sm text-fg-2 hover:bg-hover hover:text-fg',
          selected && 'bg-selected',
        )}
        onClick={onOpen}
      >
        {turn.status === 'error' && <TraceStatus status="error" />}
        <Ago at={turn.created_at} />
        {turn.model && <span>{turn.model}</span>}
        {turn.latency_ms !== null && <span className="tabular-nums">{formatDuration(turn.latency_ms)}</span>}
        {turn.cost !== null ? (
          <span className="tabular-nums">{formatMoney(turn.cost)}</span>
        ) : (
          turn.model && <span>{noPrice}</span>
        )}
        <span className="link">Open the trace</span>
      </button>
    </li>
  )
}
