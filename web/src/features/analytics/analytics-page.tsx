import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FilterBar } from '../../shared/filters/filter-bar.tsx'
import { type FilterValues, withFilter } from '../../shared/filters/filters.ts'
import { conditionsIn, viewOf } from '../../shared/filters/view.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { FirstTrace } from '../start/index.ts'
import { Breakdowns } from './breakdown.tsx'
import { CostChart, ErrorRateChart, LatencyChart, ScoresChart, TokensChart, VolumeChart } from './charts.tsx'
import { ExportButton } from './export-button.tsx'
import { GroupPicker, PercentilePicker } from './group-picker.tsx'
import { defaultPeriod, periodOf } from './period.ts'
import { hasTracesQuery, type View } from './queries.ts'
import type { AnalyticsSearch } from './search.ts'
import { Summary } from './summary.tsx'
import { useMinute } from './use-minute.ts'

export const AnalyticsPage = createLazyRoute('/signed-in/projects/$projectId/analytics')({
  component: Analytics,
})

/** Charts and tables of the traces of a project, over time and by group. */
function Analytics() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/analytics' })
  const search: AnalyticsSearch = useSearch({ from: '/signed-in/projects/$projectId/analytics' })
  const navigate = useNavigate({ from: '/projects/$projectId/analytics' })
  const { data: hasTraces } = useQuery(hasTracesQuery(projectId))
  const filters = conditionsIn(search)
  const view: View = {
    projectId,
    filters,
    period: periodOf(search, useMinute()),
    groupBy: search.group,
  }
  const show = (changes: AnalyticsSearch) => void navigate({ search: { ...search, ...changes } })
  const setView = (next: FilterValues, isTyping = false) => {
    const { group, percentile, top } = search
    void navigate({ search: { group, percentile, top, ...next }, replace: isTyping })
  }
  const percentile = search.percentile ?? 'p95'
  if (hasTraces === false) return <NoTraces projectId={projectId} />
  return (
    <Page
      title="Analytics"
      actions={<ExportButton view={view} search={search} />}
      bar={
        <FilterBar projectId={projectId} view={viewOf(search)} fallback={defaultPeriod} onChange={setView}>
          {view.groupBy !== undefined && (
            <PercentilePicker value={percentile} onChange={(value) => show({ percentile: value })} />
          )}
          <GroupPicker {...{ projectId }} groupBy={view.groupBy} onChange={(group) => show({ group })} />
        </FilterBar>
      }
    >
      <Summary view={view} />
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
        <VolumeChart view={view} />
        <LatencyChart view={view} percentile={percentile} />
        <ErrorRateChart view={view} />
        <CostChart view={view} />
        <TokensChart view={view} />
        <ScoresChart view={view} />
      </div>
      <Breakdowns
        view={view}
        top={search.top ?? 'model'}
        onTop={(top) => show({ top })}
        onFilter={(name, value) => setView(withFilter(viewOf(search), name, value))}
      />
    </Page>
  )
}

function NoTraces({ projectId }: { projectId: string }) {
  return (
    <Page title="Analytics">
      <EmptyState title="No traces yet">
        <p>
          Volume, cost, latency, errors, tokens and scores are computed from traces. This command records a
          first one:
        </p>
        <FirstTrace projectId={projectId} />
      </EmptyState>
    </Page>
  )
}
