import { costSumText, unpricedText } from './format.ts'

/** A sum of costs. A star marks a sum without the cost of some traces, which the tooltip counts. */
export function CostSum({ cost, unpriced, traces }: { cost: number; unpriced: number; traces: number }) {
  const note = unpricedText(unpriced)
  const text = costSumText(cost, unpriced, traces)
  if (note === undefined) return text
  return (
    <span title={note}>
      {text}
      {unpriced < traces && <span aria-hidden="true">*</span>}
      <span className="sr-only"> {note}</span>
    </span>
  )
}
