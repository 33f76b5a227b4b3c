import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tabClass } from './tab-class.ts'

export interface TabLink {
  name: string
  title: ReactNode
  to: string
  search?: Record<string, string | undefined>
}

/** Scrolls the open tab into view, for rows of tabs wider than the screen. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Views with addresses of their own, as links that look like tabs, for the second bar of a page. */
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
