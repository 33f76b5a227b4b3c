import type { ReactNode } from 'react'
import { Skeleton } from './states/skeleton.tsx'

/** A key figure with its label above and its change below. `value` is undefined while it loads. */
export function Figure({
  label,
  value,
  change,
  note,
}: {
  label: string
  value: ReactNode | undefined
  /** Null while it loads, which reserves its space. */
  change?: ReactNode
  note?: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5" data-figure={label}>
      <dt className="truncate text-sm text-fg-2">{label}</dt>
      <dd className="text-xl font-semibold tabular-nums">
        {value === undefined ? <Skeleton className="my-1 h-[18px] w-20" /> : value}
      </dd>
      {change !== undefined && (
        <dd className="flex min-h-[18px] items-center gap-1.5 text-sm text-fg-3">{change}</dd>
      )}
      {note && <dd className="text-sm text-fg-2">{note}</dd>}
    </div>
  )
}

/** Key figures in a grid. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">{children}</dl>
    </section>
  )
}
