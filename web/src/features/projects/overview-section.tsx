import type { ReactNode } from 'react'

/** A part of the overview, with a link to the full screen. */
export function OverviewSection({
  title,
  more,
  children,
}: {
  title: string
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h3 className="font-semibold">{title}</h3>
        {more}
      </div>
      {children}
    </section>
  )
}
