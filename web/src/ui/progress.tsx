/** How far something is; without `max` that is not known. */
export function Progress({ label, value, max }: { label: string; value: number; max: number | undefined }) {
  const share = max === undefined ? 0 : max === 0 ? 1 : Math.min(1, value / max)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(max !== undefined && { 'aria-valuenow': Math.round(share * 100) })}
      className="h-1.5 w-full overflow-hidden rounded-sm bg-hover"
    >
      <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  )
}
