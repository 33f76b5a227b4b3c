/** How far long work is, as a bar beside its words; without a total it is not known yet how much there is. */
export function Progress({ done, total, label }: { done: number; total: number | null; label: string }) {
  const share = total ? Math.min(1, done / total) : 0
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(total !== null && { 'aria-valuemax': total, 'aria-valuenow': done })}
      className="inline-block h-1.5 w-full overflow-hidden rounded-sm bg-hover align-middle"
    >
      <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
