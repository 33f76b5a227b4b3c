import { formatDuration } from '../../../ui/format.ts'

const ticks = [0, 0.25, 0.5, 0.75]

/** Narrow axes have fewer ticks. */
function hiddenBelow(share: number): string {
  if (share === 0) return ''
  return share === 0.5 ? 'hidden @md:inline' : 'hidden @lg:inline'
}

/** The times of a trace, from its start to its end. */
export function TimeAxis({ totalMs }: { totalMs: number }) {
  return (
    <>
      <span className="relative h-full flex-1">
        {ticks.map((share) => (
          <span
            key={share}
            className={`absolute inset-y-0 border-l pt-1 pl-1 text-xs whitespace-nowrap tabular-nums ${hiddenBelow(share)}`}
            style={{ left: `${share * 100}%` }}
          >
            {formatDuration(totalMs * share)}
          </span>
        ))}
      </span>
      <span className="w-18 shrink-0 pr-2 text-right text-xs tabular-nums">{formatDuration(totalMs)}</span>
    </>
  )
}
