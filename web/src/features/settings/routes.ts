import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { textOf } from '../../shared/search-params.ts'

/** The state of the settings sections in the address. */
interface SettingsSearch {
  q?: string | undefined
  type?: string | undefined
  action?: string | undefined
  open?: string | undefined
  group?: string | undefined
  days?: string | undefined
}

const validateSearch = (search: Record<string, unknown>): SettingsSearch => ({
  q: textOf(search.q),
  type: textOf(search.type),
  action: textOf(search.action),
  open: textOf(search.open),
  group: textOf(search.group),
  days: textOf(search.days),
})

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
}).lazy(() => import('./settings-page.tsx').then(({ SettingsPage }) => SettingsPage))

const sectionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings/$section',
  validateSearch,
}).lazy(() => import('./settings-page.tsx').then(({ SettingsSectionPage }) => SettingsSectionPage))

export const settingsRoutes = [settingsRoute, sectionRoute] as const
