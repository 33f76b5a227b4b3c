import type {
  Breakdown,
  BreakdownQuery,
  CompareVersionsQuery,
  Costs,
  CreatedScore,
  CreatedTrace,
  CreatedTraceBatch,
  CreatedVersion,
  CreateScore,
  CreateScorer,
  CreateTrace,
  CreateVersion,
  Deleted,
  DeletedTraces,
  ExportQuery,
  JudgeRequest,
  JudgeResult,
  ListedScore,
  ListScoresQuery,
  ListSessionsQuery,
  ListTracesQuery,
  ListVersionsQuery,
  Metrics,
  Performance,
  ProjectUsageQuery,
  ReplaceScorer,
  RolledBackVersion,
  ScoreAverages,
  ScoreAveragesQuery,
  Scorer,
  Session,
  SessionQuery,
  SessionView,
  StoredScore,
  SummaryQuery,
  TaggedTraces,
  TagTraces,
  Timeseries,
  TimeseriesQuery,
  Trace,
  TracePreview,
  TraceSummary,
  UsageReport,
  Version,
  VersionActivation,
  VersionComparison,
  VersionHistoryQuery,
  VersionSummary,
} from '@cairn/contract'
import { eventCalls } from './event-log.ts'
import type { Page } from './pages.ts'
import { scoringCalls } from './scoring.ts'
import { testingCalls } from './testing.ts'
import { type CallOptions, type ClientOptions, path, type RepeatableOptions, Transport } from './transport.ts'

export interface TracePage extends Page {
  traces: TraceSummary[]
}

export interface TracePreviewPage extends Page {
  traces: TracePreview[]
}

export interface ActivationPage extends Page {
  activations: VersionActivation[]
}

export interface ScorePage extends Page {
  scores: ListedScore[]
}

export interface SessionPage extends Page {
  sessions: Session[]
}

export interface SessionViewPage extends Page {
  session: SessionView
}

/** Filters, including filters named after a key: `'attr.plan': 'pro'`, `'score.tone>': '0.5'` (at least). */
export type Filters<Query = SummaryQuery> = Query & {
  [attribute: `attr.${string}`]: string | number | boolean | string[]
  [score: `score.${string}`]: string | number
}

/** Calls that need a key of the project. */
export function projectCalls(client: ClientOptions) {
  const transport = new Transport(client, 'key')

  /** One page of summaries, newest first unless `sort_by` and `order` say otherwise. */
  async function page(
    projectId: string,
    query: Filters<Omit<ListTracesQuery, 'view'>> = {},
    options?: CallOptions,
  ): Promise<TracePage> {
    const at = path`/v1/${projectId}/analytics/traces`
    const { page: traces, nextCursor } = await transport.page<TraceSummary[]>(at, { query, ...options })
    return { traces, nextCursor }
  }

  /** One page of table rows: long texts are cut; version, session, user and scores are added. */
  async function previewPage(
    projectId: string,
    query: Filters<Omit<ListTracesQuery, 'view'>> = {},
    options?: CallOptions,
  ): Promise<TracePreviewPage> {
    const at = path`/v1/${projectId}/analytics/traces`
    const { page: traces, nextCursor } = await transport.page<TracePreview[]>(at, {
      query: { ...query, view: 'preview' },
      ...options,
    })
    return { traces, nextCursor }
  }

  async function sessionPage(
    projectId: string,
    query: Filters<ListSessionsQuery> = {},
    options?: CallOptions,
  ): Promise<SessionPage> {
    const at = path`/v1/${projectId}/analytics/sessions`
    const { page: sessions, nextCursor } = await transport.page<Session[]>(at, { query, ...options })
    return { sessions, nextCursor }
  }

  /** One page of scores over all traces, newest first. */
  async function scorePage(
    projectId: string,
    query: Filters<ListScoresQuery> = {},
    options?: CallOptions,
  ): Promise<ScorePage> {
    const at = path`/v1/${projectId}/scores`
    const { page: scores, nextCursor } = await transport.page<ListedScore[]>(at, { query, ...options })
    return { scores, nextCursor }
  }

  /** Every matching trace, by default newest first, fetched page by page; `limit` is the page size. */
  function list(
    projectId: string,
    query: Filters<Omit<ListTracesQuery, 'view'>> = {},
    options?: CallOptions,
  ): AsyncGenerator<TraceSummary> {
    return transport.each(path`/v1/${projectId}/analytics/traces`, { query, ...options })
  }

  /** One page of activations, newest first. */
  async function historyPage(
    projectId: string,
    query: VersionHistoryQuery = {},
    options?: CallOptions,
  ): Promise<ActivationPage> {
    const at = path`/v1/${projectId}/versions/history`
    const { page: activations, nextCursor } = await transport.page<VersionActivation[]>(at, {
      query,
      ...options,
    })
    return { activations, nextCursor }
  }

  return {
    traces: {
      /** Resolves when the trace is on disk. */
      create: (projectId: string, trace: CreateTrace, options?: RepeatableOptions) =>
        transport.create<CreatedTrace>(path`/v1/${projectId}/traces`, { body: trace, ...options }),
      /** Records up to 1,000 traces. An invalid trace does not reject the others; see `results`. */
      createBatch: (projectId: string, traces: readonly CreateTrace[], options?: RepeatableOptions) =>
        transport.create<CreatedTraceBatch>(path`/v1/${projectId}/traces/batch`, {
          body: { traces },
          ...options,
        }),
      page,
      previewPage,
      list,
      get: (projectId: string, traceId: string, options?: CallOptions) =>
        transport.json<Trace>('GET', path`/v1/${projectId}/analytics/traces/${traceId}`, options),
      /** Adds tags to up to 100 traces and removes tags. */
      tag: (projectId: string, change: TagTraces, options?: CallOptions) =>
        transport.json<TaggedTraces>('POST', path`/v1/${projectId}/traces/tags`, {
          body: change,
          ...options,
        }),
      /** Deletes the trace with its scores. */
      delete: (projectId: string, traceId: string, options?: CallOptions) =>
        transport.json<DeletedTraces>('DELETE', path`/v1/${projectId}/traces/${traceId}`, options),
      /** Deletes every matching trace. Needs at least one filter and the permission `admin`. */
      deleteMatching: (projectId: string, query: Filters, options?: CallOptions) =>
        transport.json<DeletedTraces>('DELETE', path`/v1/${projectId}/traces`, { query, ...options }),
    },
    scores: {
      create: (projectId: string, traceId: string, score: CreateScore, options?: CallOptions) =>
        transport.json<CreatedScore>('POST', path`/v1/${projectId}/traces/${traceId}/scores`, {
          body: score,
          ...options,
        }),
      /** Newest first. */
      list: (projectId: string, traceId: string, options?: CallOptions) =>
        transport.json<StoredScore[]>('GET', path`/v1/${projectId}/traces/${traceId}/scores`, options),
      page: scorePage,
      /** Every score of the project that matches, newest first, fetched page by page. */
      each: (projectId: string, query: Filters<ListScoresQuery> = {}, options?: CallOptions) =>
        transport.each<ListedScore>(path`/v1/${projectId}/scores`, { query, ...options }),
      delete: (projectId: string, traceId: string, scoreId: string, options?: CallOptions) =>
        transport.json<Deleted>(
          'DELETE',
          path`/v1/${projectId}/traces/${traceId}/scores/${scoreId}`,
          options,
        ),
    },
    analytics: {
      metrics: (projectId: string, query: Filters = {}, options?: CallOptions) =>
        transport.json<Metrics>('GET', path`/v1/${projectId}/analytics/metrics`, { query, ...options }),
      costs: (projectId: string, query: Filters = {}, options?: CallOptions) =>
        transport.json<Costs>('GET', path`/v1/${projectId}/analytics/costs`, { query, ...options }),
      performance: (projectId: string, query: Filters = {}, options?: CallOptions) =>
        transport.json<Performance>('GET', path`/v1/${projectId}/analytics/performance`, {
          query,
          ...options,
        }),
      timeseries: (projectId: string, query: Filters<TimeseriesQuery> = {}, options?: CallOptions) =>
        transport.json<Timeseries>('GET', path`/v1/${projectId}/analytics/timeseries`, { query, ...options }),
      /** All figures of a period by group: model, version, tag … */
      breakdown: (projectId: string, query: Filters<BreakdownQuery>, options?: CallOptions) =>
        transport.json<Breakdown>('GET', path`/v1/${projectId}/analytics/breakdown`, { query, ...options }),
      /** Averages of scores by name and over time. */
      scores: (projectId: string, query: Filters<ScoreAveragesQuery> = {}, options?: CallOptions) =>
        transport.json<ScoreAverages>('GET', path`/v1/${projectId}/analytics/scores`, { query, ...options }),
      /** The file as a response, to be streamed from `response.body` or read with `response.text()`. */
      export: (projectId: string, query: Filters<ExportQuery> = {}, options?: CallOptions) =>
        transport.send('GET', path`/v1/${projectId}/analytics/export`, { query, ...options }),
    },
    sessions: {
      /** Sorted by their newest trace, newest first. */
      page: sessionPage,
      /** Every session that matches, in the same order, fetched page by page. */
      each: (projectId: string, query: Filters<ListSessionsQuery> = {}, options?: CallOptions) =>
        transport.each<Session>(path`/v1/${projectId}/analytics/sessions`, { query, ...options }),
      /** A session with one page of its traces, oldest first. */
      get: (projectId: string, sessionId: string, query: SessionQuery = {}, options?: CallOptions) =>
        transport.json<SessionView>('GET', path`/v1/${projectId}/analytics/sessions/${sessionId}`, {
          query,
          ...options,
        }),
      /** Like `get`, with the cursor of the next page of traces. */
      async getPage(
        projectId: string,
        sessionId: string,
        query: SessionQuery = {},
        options?: CallOptions,
      ): Promise<SessionViewPage> {
        const at = path`/v1/${projectId}/analytics/sessions/${sessionId}`
        const { page: session, nextCursor } = await transport.page<SessionView>(at, { query, ...options })
        return { session, nextCursor }
      },
    },
    scorers: {
      /** Scores an output; with `trace_id`, the score is stored on the trace. */
      judge: (projectId: string, request: JudgeRequest, options?: CallOptions) =>
        transport.json<JudgeResult>('POST', path`/v1/${projectId}/score-with-judge`, {
          body: request,
          ...options,
        }),
      create: (projectId: string, scorer: CreateScorer, options?: CallOptions) =>
        transport.json<Scorer>('POST', path`/v1/${projectId}/scorers`, { body: scorer, ...options }),
      /** Built-in scorers first. */
      list: (projectId: string, options?: CallOptions) =>
        transport.json<Scorer[]>('GET', path`/v1/${projectId}/scorers`, options),
      get: (projectId: string, slug: string, options?: CallOptions) =>
        transport.json<Scorer>('GET', path`/v1/${projectId}/scorers/${slug}`, options),
      replace: (projectId: string, slug: string, scorer: ReplaceScorer, options?: CallOptions) =>
        transport.json<Scorer>('PUT', path`/v1/${projectId}/scorers/${slug}`, { body: scorer, ...options }),
      delete: (projectId: string, slug: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', path`/v1/${projectId}/scorers/${slug}`, options),
    },

    judging: scoringCalls(transport),
    versions: {
      /** When the promise resolves, the new version is the only active one. */
      publish: (projectId: string, version: CreateVersion, options?: CallOptions) =>
        transport.json<CreatedVersion>('POST', path`/v1/${projectId}/versions`, {
          body: version,
          ...options,
        }),
      /** Newest first; up to 1,000. */
      list: (projectId: string, options?: CallOptions) =>
        transport.json<VersionSummary[]>('GET', path`/v1/${projectId}/versions`, options),
      /** Every version, newest first, fetched page by page. */
      each: (projectId: string, query: ListVersionsQuery = {}, options?: CallOptions) =>
        transport.each<VersionSummary>(path`/v1/${projectId}/versions`, { query, ...options }),
      get: (projectId: string, versionId: string, options?: CallOptions) =>
        transport.json<Version>('GET', path`/v1/${projectId}/versions/${versionId}`, options),
      /** Makes an earlier version the only active one. */
      rollback: (projectId: string, versionId: string, options?: CallOptions) =>
        transport.json<RolledBackVersion>(
          'POST',
          path`/v1/${projectId}/versions/${versionId}/rollback`,
          options,
        ),
      compare: (projectId: string, query: CompareVersionsQuery, options?: CallOptions) =>
        transport.json<VersionComparison>('GET', path`/v1/${projectId}/versions/compare`, {
          query,
          ...options,
        }),
      historyPage,
      /** Every activation, newest first, fetched page by page. */
      history: (projectId: string, query: VersionHistoryQuery = {}, options?: CallOptions) =>
        transport.each<VersionActivation>(path`/v1/${projectId}/versions/history`, { query, ...options }),
    },
    /** Tokens, credits and costs of the answers of the project, by day, chat, model … */
    usage: (projectId: string, query: ProjectUsageQuery = {}, options?: CallOptions) =>
      transport.json<UsageReport>('GET', path`/v1/${projectId}/usage`, { query, ...options }),
    testing: testingCalls(transport),
    events: eventCalls(transport, '/v1'),
  }
}

export type ProjectCalls = ReturnType<typeof projectCalls>
