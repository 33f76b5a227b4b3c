import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** A warning about a setting. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <div
      role="note"
      className="flex items-start gap-2 rounded-md border border-warning bg-warning-surface p-3"
    >
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
