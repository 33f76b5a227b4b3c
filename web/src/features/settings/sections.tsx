import { type ComponentType, lazy } from 'react'

interface SectionEntry {
  title: string
  /** The section is a table that takes the whole page and scrolls by itself. */
  fill?: boolean
  Content: ComponentType<{ projectId: string }>
}

/** The sections of the project settings by the last segment of their address, in the order of the tabs. */
export const sections = {
  general: {
    title: 'General',
    Content: lazy(() => import('./general.tsx')),
  },
  keys: {
    title: 'Keys',
    Content: lazy(() => import('./keys.tsx')),
  },
  prices: {
    title: 'Prices',
    Content: lazy(() => import('./prices.tsx')),
  },
  webhooks: {
    title: 'Webhooks',
    Content: lazy(() => import('./webhooks.tsx')),
  },
  events: {
    title: 'Events',
    fill: true,
    Content: lazy(() => import('./events.tsx')),
  },
  usage: {
    title: 'Usage and budgets',
    Content: lazy(() => import('./usage-and-budgets.tsx')),
  },
  audit: {
    title: 'Audit log',
    fill: true,
    Content: lazy(() => import('./audit-section.tsx')),
  },
} as const satisfies Record<string, SectionEntry>

export type SectionName = keyof typeof sections
