import clsx from 'clsx'
import { CircleAlert, CircleCheck, CircleDashed, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const badges: Record<string, { icon: LucideIcon; className: string }> = {
  success: { icon: CircleCheck, className: 'text-success' },
  warning: { icon: CircleAlert, className: 'text-warning' },
  error: { icon: CircleX, className: 'text-error' },
  info: { icon: Info, className: 'text-fg-2' },
  running: { icon: CircleDashed, className: 'text-info' },
}

export type StatusKind = 'success' | 'warning' | 'error' | 'info' | 'running'

/** A state as an icon and a word, never as a colour alone. */
export function StatusBadge({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  const { icon: Icon, className } = badges[kind] as (typeof badges)[string]
  return (
    <span
      className={clsx('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', className)}
      data-status={kind}
    >
      <Icon size={14} className="shrink-0" aria-hidden="true" />
      {children}
    </span>
  )
}

/** A small label: a tag, a model, a kind. */
export function Chip({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className="inline-block max-w-48 truncate rounded-sm border bg-surface px-1.5 align-middle text-sm text-fg-2"
    >
      {children}
    </span>
  )
}
