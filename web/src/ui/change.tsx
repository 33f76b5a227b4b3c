import clsx from 'clsx'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { formatCompact, formatShare } from './format.ts'

/** The direction that is good; `neither` for amounts that only grow with use. */
export type Better = 'more' | 'less' | 'neither'

export interface Difference {
  direction: 'up' | 'down' | 'same'
  /** Change divided by the value before, such as 0.12; null if the value before is 0. */
  share: number | null
}

/** The change between two numbers; undefined if one is unknown. A change below 0.05 % counts as none. */
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

/** Smaller changes count as neither good nor bad. */
const leastShare = 0.02

export type Verdict = 'better' | 'worse' | 'noise'

/** Classifies a change as better or worse, or as one that may be noise; undefined if it is none of them. */
export function assess(
  { direction, share }: Difference,
  better: Better,
  isNoise = false,
): Verdict | undefined {
  if (direction === 'same' || better === 'neither') return undefined
  if (share !== null && share < leastShare) return undefined
  if (isNoise) return 'noise'
  return (direction === 'up') === (better === 'more') ? 'better' : 'worse'
}

const arrows = { up: ArrowUp, down: ArrowDown, same: ArrowRight }
const verdictWords = { better: 'better', worse: 'worse', noise: 'within noise' }
const words = { up: 'up', down: 'down', same: 'unchanged' }

/** The change between two numbers: an arrow, the percentage, and a colour if the change is good or bad. */
export function Change({
  before,
  now,
  better,
  isNoise,
  format,
}: {
  before: number | null | undefined
  now: number | null | undefined
  better: Better
  /** The difference may be chance. */
  isNoise?: boolean
  /** Formats the value before, for the tooltip and for screen readers. */
  format: (value: number | null | undefined) => string
}) {
  const difference = differenceOf(before, now)
  if (!difference) return null
  const { direction, share } = difference
  const verdict = assess(difference, better, isNoise)
  const Arrow = arrows[direction]
  const spoken = `${words[direction]}${verdict ? `, ${verdictWords[verdict]}` : ''}; ${format(before)} before`
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

/** A factor from ten times on, where a percentage is hard to read. */
function shareText(share: number): string {
  return share >= 10 ? `${formatCompact(Math.round(share + 1))} ×` : formatShare(share)
}
