import clsx from 'clsx'

/** How far something is, `share` from 0 to 1; `label` says what. Numbers belong beside it. */
export function Progress({ label, share, className }: { label: string; share: number; className?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100)
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={clsx('block h-1.5 overflow-hidden rounded-sm bg-hover', className)}
    >
      <span className="block h-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </span>
  )
}
