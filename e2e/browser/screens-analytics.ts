import type { ScreenShot } from './screen-shot.ts'

/** Screens of analytics, the overview of a project, and versions. */
export const analyticsScreens: readonly ScreenShot[] = [
  {
    name: 'analytics',
    path: ({ projectId }) => `/projects/${projectId}/analytics`,
    prepare: (page) => page.locator('canvas').nth(5).waitFor(),
  },
  {
    name: 'analytics-by-model',
    path: ({ projectId }) =>
      `/projects/${projectId}/analytics?period=30d&group=model&environment=production&top=tag`,
    prepare: async (page) => {
      await page.locator('canvas').nth(4).waitFor()
      await page.locator('[data-chart=Cost] .u-over').hover({ position: { x: 120, y: 60 } })
    },
  },
  {
    name: 'analytics-below',
    path: ({ projectId }) => `/projects/${projectId}/analytics?period=24h`,
    prepare: async (page) => {
      await page.locator('canvas').nth(4).waitFor()
      await page.getByRole('button', { name: 'Show Cost as table' }).click()
      await page.locator('main').evaluate('document.querySelector("main").scrollTo(0, 5000)')
    },
  },
  {
    name: 'analytics-export',
    path: ({ projectId }) => `/projects/${projectId}/analytics?status=error`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
      await page.getByText('Saved').waitFor()
    },
  },
  {
    name: 'analytics-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/analytics`,
    prepare: (page) => page.getByText('No traces yet').waitFor(),
  },
  {
    name: 'overview',
    path: ({ projectId }) => `/projects/${projectId}?period=7d`,
    prepare: async (page) => {
      await page.locator('canvas').nth(1).waitFor()
      await page.getByText('1 document').first().waitFor()
    },
    inGuides: true,
  },
  {
    name: 'overview-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}`,
    prepare: (page) => page.getByText('Record calls of a model').waitFor(),
  },
  {
    name: 'versions',
    path: ({ projectId }) => `/projects/${projectId}/versions`,
    prepare: (page) => page.getByText('helpfulness').first().waitFor(),
  },
  {
    name: 'versions-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/versions`,
    prepare: (page) => page.getByText('No versions yet').waitFor(),
  },
  {
    name: 'versions-history',
    path: ({ projectId }) => `/projects/${projectId}/versions?tab=history`,
    prepare: (page) => page.getByText('All activations are shown.').waitFor(),
  },
  {
    name: 'versions-publish',
    path: ({ projectId }) => `/projects/${projectId}/versions`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Publish a version', exact: true }).click()
      await page.getByRole('button', { name: 'Edit as JSON' }).click()
      await page.getByLabel('Configuration').fill('{ "modle": "gpt-4o" }')
    },
  },
  {
    name: 'versions-one',
    path: ({ projectId, versionIds }) => `/projects/${projectId}/versions/${versionIds[1]}`,
    prepare: (page) => page.getByText('Score helpfulness').waitFor(),
  },
  {
    name: 'versions-compare',
    path: ({ projectId, versionIds: [, a, b] }) => `/projects/${projectId}/versions/compare?a=${a}&b=${b}`,
    prepare: (page) => page.getByRole('heading', { name: 'Prompt of 1.2.0' }).waitFor(),
    inGuides: true,
  },
  {
    name: 'versions-rollback',
    path: ({ projectId, versionIds: [, a, b] }) => `/projects/${projectId}/versions/compare?a=${a}&b=${b}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Roll back to 1.1.0' }).click()
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
]
