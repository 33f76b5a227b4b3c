import clsx from 'clsx'
import { Maximize2, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { IconButton } from './button.tsx'

/** Details of one row beside its list; on a narrow screen it covers the list. Escape closes it. */
export function SidePanel({
  label,
  onClose,
  onExpand,
  actions,
  narrow,
  children,
}: {
  label: string
  onClose: () => void
  /** Opens the same content as a full page. */
  onExpand?: () => void
  actions?: ReactNode
  /** Leaves more room for the content beside the panel. */
  narrow?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [onClose])
  return (
    <aside
      aria-label={label}
      className={clsx(
        'fixed inset-0 z-20 flex w-full flex-col border-l bg-background lg:static lg:z-0 lg:shrink-0',
        narrow ? 'lg:w-[400px]' : 'lg:w-[min(56%,820px)]',
      )}
    >
      <div className="flex h-10 shrink-0 items-center justify-between gap-2 border-b pr-2 pl-4">
        <h2 className="truncate font-semibold">{label}</h2>
        <div className="flex items-center gap-1">
          {actions}
          {onExpand && (
            <IconButton label="Open the full page" onClick={onExpand}>
              <Maximize2 size={14} />
            </IconButton>
          )}
          <IconButton label="Close" onClick={onClose}>
            <X size={16} />
          </IconButton>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
    </aside>
  )
}
