import clsx from 'clsx'
import type { ReactNode } from 'react'

/** A grey shape in the place of content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={clsx('block animate-pulse rounded-sm bg-hover', className ?? 'h-4 w-24')} />
}

/** Shapes for `name` while it loads; screen readers hear one sentence in their place. */
export function SkeletonBlock({
  name,
  className,
  children,
}: {
  name: string
  className?: string
  children: ReactNode
}) {
  return (
    <div role="status" aria-label={`Loading ${name}`} className={className}>
      {children}
    </div>
  )
}

/** Rows of a table while they load. */
export function SkeletonRows({ rows = 8, name }: { rows?: number; name: string }) {
  return (
    <SkeletonBlock name={name} className="flex w-full flex-col">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places
        <div key={row} className="flex h-8 items-center gap-6 border-b px-4">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 flex-1" />
          <Skeleton className="h-3 w-16" />
        </div>
      ))}
    </SkeletonBlock>
  )
}
