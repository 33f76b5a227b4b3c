import type {
  CompareVersionsQuery,
  CreatedScore,
  CreatedTrace,
  CreatedTraceBatch,
  CreatedVersion,
  CreateScore,
  CreateTrace,
  CreateVersion,
  ExportQuery,
  ListTracesQuery,
  Metrics,
  RolledBackVersion,
  SummaryQuery,
  Trace,
  TraceSummary,
  Version,
  VersionActivation,
  VersionComparison,
  VersionHistoryQuery,
  VersionSummary,
} from '@cairn/contract'
import { eventCalls } from './event-log.ts'
import { type CallOptions, type ClientOptions, path, Transport } from './transport.ts'

export interface TracePage {
  traces: TraceSummary[]
  /** `query.cursor` of the next page; undefined on the last one. */
  nextCursor: string | undefined
}

export interface ActivationPage {
  activations: VersionActivation[]
  /** `query.cursor` of the next page; undefined on the last one. */
  nextCursor: string | undefined
}

/** Calls that take a key of the project. */
export function projectCalls(client: ClientOptions) {
  const transport = new Transport(client, 'key')

  /** One page of summaries, newest first. */
  async function page(
    projectId: string,
    query: ListTracesQuery = {},
    options?: CallOptions,
  ): Promise<TracePage> {
    const response = await transport.send('GET', path`/v1/${projectId}/analytics/traces`, {
      query,
      ...options,
    })
    const traces = (await response.json()) as TraceSummary[]
    return { traces, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
  }

  /** Every trace that fits, newest first, fetched page by page; `limit` is the size of a page. */
  async function* list(
    projectId: string,
    query: ListTracesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<TraceSummary> {
    let next: TracePage | undefined
    do {
      next = await page(
        projectId,
        { ...query, ...(next?.nextCursor && { cursor: next.nextCursor }) },
        options,
      )
      yield* next.traces
    } while (next.nextCursor)
  }

  /** One page of activations, newest first. */
  async function historyPage(
    projectId: string,
    query: VersionHistoryQuery = {},
    options?: CallOptions,
  ): Promise<ActivationPage> {
    const response = await transport.send('GET', path`/v1/${projectId}/versions/history`, {
      query,
      ...options,
    })
    const activations = (await response.json()) as VersionActivation[]
    return { activations, nextCursor: response.headers.get('x-next-cursor') ?? undefined }
  }

  return {
    traces: {
      /** Resolves when the trace is on disk. */
      create: (projectId: string, trace: CreateTrace, options?: CallOptions) =>
        transport.json<CreatedTrace>('POST', path`/v1/${projectId}/traces`, { body: trace, ...options }),
      /** Up to 1,000 at once. A bad one does not sink the others: `results` tells about each. */
      createBatch: (projectId: string, traces: readonly CreateTrace[], options?: CallOptions) =>
        transport.json<CreatedTraceBatch>('POST', path`/v1/${projectId}/traces/batch`, {
          body: { traces },
          ...options,
        }),
      page,
      list,
      get: (projectId: string, traceId: string, options?: CallOptions) =>
        transport.json<Trace>('GET', path`/v1/${projectId}/analytics/traces/${traceId}`, options),
    },
    scores: {
      create: (projectId: string, traceId: string, score: CreateScore, options?: CallOptions) =>
        transport.json<CreatedScore>('POST', path`/v1/${projectId}/traces/${traceId}/scores`, {
          body: score,
          ...options,
        }),
    },
    analytics: {
      metrics: (projectId: string, query: SummaryQuery = {}, options?: CallOptions) =>
        transport.json<Metrics>('GET', path`/v1/${projectId}/analytics/metrics`, { query, ...options }),
      /** The file as a response, so that it can be streamed: `response.body`, or `await response.text()`. */
      export: (projectId: string, query: ExportQuery = {}, options?: CallOptions) =>
        transport.send('GET', path`/v1/${projectId}/analytics/export`, { query, ...options }),
    },
    versions: {
      /** The new version is the only active one when this resolves. */
      publish: (projectId: string, version: CreateVersion, options?: CallOptions) =>
        transport.json<CreatedVersion>('POST', path`/v1/${projectId}/versions`, {
          body: version,
          ...options,
        }),
      /** Newest first. */
      list: (projectId: string, options?: CallOptions) =>
        transport.json<VersionSummary[]>('GET', path`/v1/${projectId}/versions`, options),
      get: (projectId: string, versionId: string, options?: CallOptions) =>
        transport.json<Version>('GET', path`/v1/${projectId}/versions/${versionId}`, options),
      /** Makes a version the only active one again. */
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
    },
    events: eventCalls(transport, '/v1'),
  }
}
