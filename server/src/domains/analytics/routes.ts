import {
  Breakdown,
  BreakdownQuery,
  Costs,
  ExportQuery,
  ListedScore,
  ListScoresQuery,
  Metrics,
  Performance,
  ProjectParams,
  ScoreAverages,
  ScoreAveragesQuery,
  SummaryQuery,
  Timeseries,
  TimeseriesQuery,
} from '@cairn/contract'
import { Type } from 'typebox'
import { projectKey } from '../../http/access.ts'
import type { App } from '../../http/fastify.ts'
import { linkNextPage } from '../../http/paging.ts'
import { clientSignal } from '../../http/sse.ts'
import { sendPieces } from '../../http/stream.ts'
import { contentTypes } from './export-format.ts'
import type { ScoreList } from './score-list.ts'
import type { AnalyticsService } from './service.ts'

const config = { access: projectKey('read') }
const tags = ['Analytics']

export function analyticsRoutes(
  app: App,
  { analytics, scoreList: scores }: { analytics: AnalyticsService; scoreList: ScoreList },
  options: { maxMs: number },
): void {
  app.get(
    '/v1/:project_id/analytics/metrics',
    {
      config,
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Counts, average latency and cost of a period, the last 30 days by default',
        params: ProjectParams,
        querystring: SummaryQuery,
        response: { 200: Metrics },
      },
    },
    (request, reply) => analytics.metrics(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/analytics/costs',
    {
      config,
      schema: {
        tags,
        operationId: 'getCosts',
        summary: 'Cost of a period by kind: language model, embedding and reranking',
        params: ProjectParams,
        querystring: SummaryQuery,
        response: { 200: Costs },
      },
    },
    (request, reply) => analytics.costs(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/analytics/performance',
    {
      config,
      schema: {
        tags,
        operationId: 'getPerformance',
        summary: 'Latency percentiles of a period: exact up to 10,000 traces, else within 1 %',
        params: ProjectParams,
        querystring: SummaryQuery,
        response: { 200: Performance },
      },
    },
    (request, reply) => analytics.performance(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/analytics/timeseries',
    {
      config,
      schema: {
        tags,
        operationId: 'getTimeSeries',
        summary: 'A metric over time, by group if requested; percentiles are within 1 %',
        params: ProjectParams,
        querystring: TimeseriesQuery,
        response: { 200: Timeseries },
      },
    },
    (request, reply) => analytics.timeseries(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/analytics/breakdown',
    {
      config,
      schema: {
        tags,
        operationId: 'getBreakdown',
        summary:
          'All figures of a period by group, in descending order of traces; percentiles are within 1 %',
        params: ProjectParams,
        querystring: BreakdownQuery,
        response: { 200: Breakdown },
      },
    },
    (request, reply) => analytics.breakdown(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/analytics/scores',
    {
      config,
      schema: {
        tags,
        operationId: 'getScoreAverages',
        summary: 'Averages and histograms of scores by name and over time',
        params: ProjectParams,
        querystring: ScoreAveragesQuery,
        response: { 200: ScoreAverages },
      },
    },
    (request, reply) =>
      analytics.scoreAverages(request.params.project_id, request.query, clientSignal(reply)),
  )

  app.get(
    '/v1/:project_id/scores',
    {
      config,
      schema: {
        tags: ['Scores'],
        operationId: 'listScores',
        summary: 'List scores over all traces, newest first',
        params: ProjectParams,
        querystring: ListScoresQuery,
        response: { 200: Type.Array(ListedScore) },
      },
    },
    async (request, reply) => {
      const { page, next } = await scores.page(request.params.project_id, request.query, clientSignal(reply))
      linkNextPage(request, reply, next)
      return page
    },
  )

  app.get(
    '/v1/:project_id/analytics/export',
    {
      config: { ...config, heavy: true },
      schema: {
        tags,
        operationId: 'exportTraces',
        summary: 'Export traces with their scores as a file',
        params: ProjectParams,
        querystring: ExportQuery,
        response: { 200: { description: 'the file', content: fileContent() } },
      },
    },
    async (request, reply) => {
      const format = request.query.format ?? 'json'
      const { project_id } = request.params
      const headers = {
        'content-type': contentTypes[format],
        'content-disposition': `attachment; filename="traces-${project_id}.${format}"`,
      }
      const pieces = analytics.export(project_id, request.query, format)
      return sendPieces(reply, pieces, { headers, ...options })
    },
  )
}

function fileContent() {
  const types = Object.values(contentTypes).map((type) => type.split(';')[0] ?? type)
  return Object.fromEntries(types.map((type) => [type, { schema: Type.Unsafe<unknown>({ type: 'string' }) }]))
}
