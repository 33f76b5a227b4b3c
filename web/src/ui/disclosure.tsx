import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** Content that is hidden until its title is clicked; `note` sums it up beside the title. */
export function Disclosure({
  title,
  note,
  open,
  children,
}: {
  title: string
  note?: ReactNode
  open?: boolean
  children: ReactNode
}) {
  return (
    <details open={open} className="group min-w-0 border-t pt-2">
      <summary className="flex h-8 list-none items-center gap-1.5 rounded-sm font-semibold [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} className="shrink-0 text-fg-3 group-open:rotate-90" aria-hidden="true" />
        {title}
        {note && <span className="ml-1 truncate font-normal text-fg-2">{note}</span>}
      </summary>
      <div className="pt-1 pb-2 pl-5">{children}</div>
    </details>
  )
}
