import type { CaseChange, ResultOutcome } from '@cairn/sdk'
import { createRoute } from '@tanstack/react-router'
import { projectRoute } from '../../shared/routes.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

interface SuiteSearch {
  tab?: 'runs' | 'settings' | undefined
  /** Id of the open case; `new` for a new case. */
  case?: string | undefined
}

interface RunSearch {
  outcome?: ResultOutcome | undefined
  case?: string | undefined
}

interface CompareSearch {
  suite?: string | undefined
  a?: string | undefined
  b?: string | undefined
  change?: CaseChange | undefined
  case?: string | undefined
}

const suitesRoute = createRoute({ getParentRoute: () => projectRoute, path: 'tests' }).lazy(() =>
  import('./suites-page.tsx').then(({ SuitesPage }) => SuitesPage),
)

const suiteRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tests/$suiteId',
  validateSearch: (search): SuiteSearch => ({
    tab: oneOf(['runs', 'settings'], search.tab),
    case: textOf(search.case),
  }),
}).lazy(() => import('./suite-page.tsx').then(({ SuitePage }) => SuitePage))

const runRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tests/runs/$runId',
  validateSearch: (search): RunSearch => ({
    outcome: oneOf(['passed', 'failed', 'error'], search.outcome),
    case: textOf(search.case),
  }),
}).lazy(() => import('./run-page.tsx').then(({ RunPage }) => RunPage))

const compareRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tests/compare',
  validateSearch: (search): CompareSearch => ({
    suite: textOf(search.suite),
    a: textOf(search.a),
    b: textOf(search.b),
    change: oneOf(['improved', 'regressed', 'same', 'only_in_a', 'only_in_b'], search.change),
    case: textOf(search.case),
  }),
}).lazy(() => import('./compare-page.tsx').then(({ ComparePage }) => ComparePage))

export const testRoutes = [suitesRoute, suiteRoute, runRoute, compareRoute] as const
