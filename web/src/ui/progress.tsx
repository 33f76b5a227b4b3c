/** How far long work is, as a bar with its words beside it. */
export function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  const share = total === 0 ? 0 : Math.min(1, done / total)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className="h-1.5 w-full overflow-hidden rounded-sm bg-hover"
    >
      <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  )
}
