import clsx from 'clsx'

/** A progress bar; `total` is null while the amount of work is unknown. */
export function Progress({
  done,
  total,
  label,
  className,
}: {
  done: number
  total: number | null
  label: string
  className?: string
}) {
  const share = total ? Math.min(1, done / total) : 0
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(total !== null && { 'aria-valuemax': total, 'aria-valuenow': done })}
      className={clsx(
        'inline-block h-1.5 overflow-hidden rounded-sm bg-hover align-middle',
        className ?? 'w-full',
      )}
    >
      <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
