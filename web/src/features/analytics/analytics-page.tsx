import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Empty, Page } from '../../ui/page.tsx'
import { FirstTrace } from '../start/first-trace.tsx'
import { Breakdowns } from './breakdown.tsx'
import { CostChart, ErrorRateChart, LatencyChart, ScoresChart, TokensChart, VolumeChart } from './charts.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { GroupPicker, PercentilePicker } from './group-picker.tsx'
import { periodOf } from './period.ts'
import { PeriodPicker } from './period-picker.tsx'
import { hasTracesQuery, type View } from './queries.ts'
import { type AnalyticsSearch, type FilterSearch, filtersIn, withFilter } from './search.ts'
import { Summary } from './summary.tsx'
import { useMinute } from './use-minute.ts'

export const AnalyticsPage = createLazyRoute('/signed-in/projects/$projectId/analytics')({
  component: Analytics,
})

/** How the traces of a project do, over time and by what they have in common. */
function Analytics() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/analytics' })
  const search: AnalyticsSearch = useSearch({ from: '/signed-in/projects/$projectId/analytics' })
  const navigate = useNavigate({ from: '/projects/$projectId/analytics' })
  const { data: hasTraces } = useQuery(hasTracesQuery(projectId))
  const filters = filtersIn(search)
  const view: View = {
    projectId,
    filters,
    period: periodOf(search, useMinute()),
    group: search.group,
  }
  const show = (changes: AnalyticsSearch) => void navigate({ search: { ...search, ...changes } })
  const setFilters = (next: FilterSearch) => {
    const { period, start_date, end_date, group, percentile, top } = search
    void navigate({ search: { period, start_date, end_date, group, percentile, top, ...next } })
  }
  const percentile = search.percentile ?? 'p95'
  if (hasTraces === false) return <NoTraces projectId={projectId} />
  return (
    <Page
      title="Analytics"
      actions={
        <>
          <ExportButton view={view} />
          <PeriodPicker period={view.period} onChange={show} />
        </>
      }
      bar={
        <search className="flex flex-wrap items-center justify-between gap-2" aria-label="What is shown">
          <FilterBar {...{ projectId, filters }} span={view.period.span} onChange={setFilters} />
          <div className="flex flex-wrap items-center gap-1.5">
            {view.group !== undefined && (
              <PercentilePicker value={percentile} onChange={(value) => show({ percentile: value })} />
            )}
            <GroupPicker {...{ projectId }} group={view.group} onChange={(group) => show({ group })} />
          </div>
        </search>
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
        onFilter={(name, value) => setFilters(withFilter(filters, name, value))}
      />
    </Page>
  )
}

function NoTraces({ projectId }: { projectId: string }) {
  return (
    <Page title="Analytics">
      <Empty title="Nothing to count yet">
        <p>
          Volume, cost, latency, errors, tokens and scores are counted as traces come in. Record the first
          one:
        </p>
        <FirstTrace projectId={projectId} />
      </Empty>
    </Page>
  )
}
