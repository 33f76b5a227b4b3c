import clsx from 'clsx'

/** How far long work is, as a bar beside its words; without a total it is not known yet how much there is. */
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
