import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tabClass } from './tab-class.ts'

export interface TabLink {
  name: string
  title: ReactNode
  to: string
  search?: Record<string, string | undefined>
}

/** Where there are more tabs than room, the one that is open is in sight. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Views that have an address each, as links that look like tabs; to stand in the second bar of a page. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly TabLink[]
  current: string
}) {
  return (
    <nav aria-label={label} className="-my-1.5 flex gap-1 overflow-x-auto pb-px">
      {tabs.map(({ name, title, to, search }) => (
        <Link
          key={name}
          to={to}
          {...(search && { search: search as never })}
          className={`${tabClass(name === current)} shrink-0`}
          {...(name === current && { 'aria-current': 'page' as const, ref: reveal })}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
