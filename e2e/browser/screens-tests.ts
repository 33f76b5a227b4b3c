import type { Page } from 'playwright-core'
import type { TestsSample } from './sample-tests.ts'

/** The sample data of these screens. */
interface Sample {
  projectId: string
  emptyProjectId: string
  tests: TestsSample
}

/** A `ScreenShot` of screens.ts for this sample data. */
interface TestsScreen {
  name: string
  path: (sample: Sample) => string
  prepare: (page: Page) => Promise<unknown>
  inGuides?: boolean
}

const of = (place: string) => (sample: Sample) => `/projects/${sample.projectId}/${place}`
const ofEmpty = (place: string) => (sample: Sample) => `/projects/${sample.emptyProjectId}/${place}`
const suite =
  (search = '') =>
  ({ projectId, tests }: Sample) =>
    `/projects/${projectId}/tests/${tests.suiteId}${search}`
const row = (name: string | RegExp) => (page: Page) => page.getByRole('row', { name }).first().waitFor()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()

/** Screens of suites, cases, runs and comparisons. */
export const testScreens: readonly TestsScreen[] = [
  {
    name: 'tests-suites',
    path: of('tests'),
    prepare: (page) => page.getByText('Never run').waitFor(),
  },
  { name: 'tests-suites-empty', path: ofEmpty('tests'), prepare: heading('No suites yet') },
  {
    name: 'tests-new-suite',
    path: of('tests'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New suite' }).click()
      await page.getByLabel('Target').selectOption('http')
    },
  },
  { name: 'tests-cases', path: suite(), prepare: row(/Who approves/) },
  {
    name: 'tests-case',
    path: suite(),
    prepare: async (page) => {
      await page.getByRole('row', { name: /Who approves/ }).click()
      await page.getByLabel('Kind of assertion 2').waitFor()
    },
  },
  {
    name: 'tests-import',
    path: suite(),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import…' }).click()
      await page
        .getByRole('textbox', { name: 'Cases', exact: true })
        .fill(
          'query,expected_answer,category,assertions\nWhere is lost property kept?,In the ticket office,passengers,\nHow long?,60 days,passengers,"[{""type"":""contains"",""value"":""60""}]"\nWhat does a bicycle cost?,2 euros,prices,[oops\n',
        )
    },
  },
  {
    name: 'tests-start-run',
    path: suite(),
    prepare: async (page) => {
      await row(/Who approves/)(page)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
    },
  },
  { name: 'tests-runs', path: suite('?tab=runs'), prepare: row(/Nightly/) },
  { name: 'tests-settings', path: suite('?tab=settings'), prepare: heading('Delete the suite') },
  {
    name: 'tests-run',
    path: ({ projectId, tests }) => `/projects/${projectId}/tests/runs/${tests.runIds.at(-1)}`,
    prepare: row(/Who approves/),
  },
  {
    name: 'tests-result',
    path: ({ projectId, tests }) => `/projects/${projectId}/tests/runs/${tests.runIds.at(-1)}`,
    prepare: async (page) => {
      await page.getByRole('row', { name: /Who approves/ }).click()
      await page.getByRole('heading', { name: 'Assertions' }).waitFor()
    },
  },
  {
    name: 'tests-compare',
    path: ({ projectId, tests }) =>
      `/projects/${projectId}/tests/compare?a=${tests.runIds[0]}&b=${tests.runIds.at(-1)}`,
    prepare: row(/Got worse/),
    inGuides: true,
  },
  {
    name: 'tests-compare-case',
    path: ({ projectId, tests }) =>
      `/projects/${projectId}/tests/compare?a=${tests.runIds[0]}&b=${tests.runIds.at(-1)}`,
    prepare: async (page) => {
      await page.getByRole('row', { name: /Got worse/ }).click()
      await page.getByRole('heading', { name: 'Answers' }).waitFor()
    },
  },
]

/** Screens of the settings of a project and of the server. */
export const settingsScreens: readonly TestsScreen[] = [
  { name: 'settings-general', path: of('settings'), prepare: heading('Delete the project') },
  { name: 'settings-keys', path: of('settings/keys'), prepare: row(/Production/) },
  {
    name: 'settings-keys-empty',
    path: ofEmpty('settings/keys'),
    prepare: (page) => page.getByText('No keys yet').waitFor(),
  },
  {
    name: 'settings-new-key',
    path: of('settings/keys'),
    prepare: (page) => page.getByRole('button', { name: 'New key' }).click(),
  },
  {
    name: 'settings-key',
    path: ofEmpty('settings/keys'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('tab', { name: 'Python' }).waitFor()
    },
  },
  { name: 'settings-prices', path: of('settings/prices'), prepare: row(/gpt-4o/) },
  { name: 'settings-webhooks', path: of('settings/webhooks'), prepare: row(/hooks/) },
  {
    name: 'settings-webhook',
    path: ({ projectId, tests }) => `/projects/${projectId}/settings/webhooks?open=${tests.webhookId}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Send a test' }).click()
      await row(/webhook_test/)(page)
    },
  },
  { name: 'settings-events', path: of('settings/events'), prepare: row(/run_completed/) },
  { name: 'settings-usage', path: of('settings/usage'), prepare: row(/500 credits/) },
  { name: 'settings-audit', path: of('settings/audit'), prepare: row(/Create key/) },
  { name: 'server-models', path: () => '/server/models', prepare: row(/gpt-4o-mini/) },
  { name: 'server-audit', path: () => '/server/audit', prepare: row(/Sign in/) },
  { name: 'server-usage', path: () => '/server/usage', prepare: heading('Usage') },
]
