import clsx from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { formatCompact, formatShare } from './format.ts'

/** Which direction is good news; `neither` for amounts that only grow with use. */
export type Better = 'more' | 'less' | 'neither'

export interface Difference {
  direction: 'up' | 'down' | 'same'
  /** Of the value before, such as 0.12; null when that was 0. */
  share: number | null
}

/** From one number to another; undefined where either is unknown. Less than half a per mille is none. */
export function differenceOf(
  before: number | null | undefined,
  now: number | null | undefined,
): Difference | undefined {
  if (before == null || now == null) return undefined
  if (before === 0) return now === 0 ? { direction: 'same', share: 0 } : { direction: 'up', share: null }
  const share = (now - before) / before
  if (Math.abs(share) < 0.0005) return { direction: 'same', share: 0 }
  return { direction: share > 0 ? 'up' : 'down', share: Math.abs(share) }
}

/** Smaller changes are no news. */
const leastShare = 0.02

/** Whether a change is good, bad, or neither. */
export function assess({ direction, share }: Difference, better: Better): 'better' | 'worse' | undefined {
  if (direction === 'same' || better === 'neither') return undefined
  if (share !== null && share < leastShare) return undefined
  return (direction === 'up') === (better === 'more') ? 'better' : 'worse'
}

const arrows = { up: ArrowUp, down: ArrowDown, same: ArrowRight }
const words = { up: 'up', down: 'down', same: 'unchanged' }

/** A change from one number to another: an arrow, how much, and a colour where it is good or bad. */
export function Change({
  before,
  now,
  better,
  format,
}: {
  before: number | null | undefined
  now: number | null | undefined
  better: Better
  /** For the value before, which is shown on hover and said. */
  format: (value: number | null | undefined) => string
}) {
  const difference = differenceOf(before, now)
  if (!difference) return null
  const { direction, share } = difference
  const verdict = assess(difference, better)
  const Arrow = arrows[direction]
  const spoken = `${words[direction]}${verdict ? `, ${verdict}` : ''}; ${format(before)} before`
  return (
    <span
      title={spoken}
      data-verdict={verdict}
      className={clsx(
        'inline-flex items-center gap-0.5 align-middle text-sm whitespace-nowrap tabular-nums',
        verdict === 'better' ? 'text-success' : verdict === 'worse' ? 'text-error' : 'text-fg-2',
      )}
    >
      <Arrow size={12} aria-hidden="true" />
      {direction === 'same' ? 'same' : share === null ? 'new' : shareText(share)}
      <span className="sr-only"> {spoken}</span>
    </span>
  )
}

/** Beyond ten times per cent says little. */
function shareText(share: number): string {
  return share >= 10 ? `${formatCompact(Math.round(share + 1))} ×` : formatShare(share)
}
