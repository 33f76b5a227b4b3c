import type { ScreenShot } from './screen-shot.ts'

export const appScreens: readonly ScreenShot[] = [
  {
    name: 'apps',
    path: ({ projectId }) => `/projects/${projectId}/apps`,
    prepare: (page) => page.getByRole('row', { name: /Tenant portal/ }).waitFor(),
  },
  {
    name: 'apps-empty',
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}/apps`,
    prepare: (page) => page.getByText('No applications yet').waitFor(),
  },
  {
    name: 'apps-register',
    path: ({ projectId }) => `/projects/${projectId}/apps/register`,
    prepare: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Notes')
      await page.getByLabel('Issuer', { exact: true }).fill('http://login.example.com')
      await page.getByLabel(/Any audience/).check()
      await page.getByRole('button', { name: 'Register application' }).click()
      await page.getByText('issuer must begin').waitFor()
    },
  },
  {
    name: 'apps-settings',
    path: ({ projectId, appId }) => `/projects/${projectId}/apps/${appId}`,
    prepare: (page) => page.getByText('It answers with').waitFor(),
  },
  {
    name: 'apps-integration',
    path: ({ projectId, appId }) => `/projects/${projectId}/apps/${appId}?tab=integration`,
    prepare: (page) => page.getByText('createUserClient').first().waitFor(),
  },
  {
    name: 'apps-users',
    path: ({ projectId, appId }) => `/projects/${projectId}/apps/${appId}?tab=users`,
    prepare: (page) => page.getByRole('row').nth(4).waitFor(),
  },
]
