import { Skeleton } from '../../ui/states/skeleton.tsx'

/** The skeleton of a trace. */
export function TraceSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-6 w-80 max-w-full" />
      <Skeleton className="h-4 w-60" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
