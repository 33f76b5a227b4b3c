import type {
  CreateRule,
  Deleted,
  FilterBody,
  ListScoringsQuery,
  Rule,
  RunScorer,
  Scoring,
  ScoringFailure,
  UpdateRule,
  VersionHistoryQuery,
} from '@cairn/contract'
import type { Page } from './pages.ts'
import { type CallOptions, path, type Transport } from './transport.ts'

/** Filters of a batch or a rule, including filters named after a key: `'attr.plan': 'pro'`. */
type WithKeys<Request> = Omit<Request, 'filter'> & {
  filter?: (FilterBody & { [key: `attr.${string}` | `score.${string}`]: unknown }) | null
}

export interface ScoringPage extends Page {
  scorings: Scoring[]
}

export interface ScoringFailurePage extends Page {
  failures: ScoringFailure[]
}

/** Scoring batches over stored traces, and rules for new traces. */
export function scoringCalls(transport: Transport) {
  return {
    batches: {
      /** The batch is stored when the promise resolves; follow it with `get`. */
      start: (projectId: string, slug: string, request: WithKeys<RunScorer> = {}, options?: CallOptions) =>
        transport.json<Scoring>('POST', path`/v1/${projectId}/scorers/${slug}/run`, {
          body: request,
          ...options,
        }),
      /** Newest first. */
      page: async (
        projectId: string,
        query: ListScoringsQuery = {},
        options?: CallOptions,
      ): Promise<ScoringPage> => {
        const at = path`/v1/${projectId}/scorers/runs`
        const { page: scorings, nextCursor } = await transport.page<Scoring[]>(at, { query, ...options })
        return { scorings, nextCursor }
      },
      /** Every batch, newest first, fetched page by page. */
      each: (projectId: string, query: ListScoringsQuery = {}, options?: CallOptions) =>
        transport.each<Scoring>(path`/v1/${projectId}/scorers/runs`, { query, ...options }),
      get: (projectId: string, scoringId: string, options?: CallOptions) =>
        transport.json<Scoring>('GET', path`/v1/${projectId}/scorers/runs/${scoringId}`, options),
      /** Traces whose scoring failed, newest first. */
      failures: async (
        projectId: string,
        scoringId: string,
        query: VersionHistoryQuery = {},
        options?: CallOptions,
      ): Promise<ScoringFailurePage> => {
        const address = path`/v1/${projectId}/scorers/runs/${scoringId}/failures`
        const { page: failures, nextCursor } = await transport.page<ScoringFailure[]>(address, {
          query,
          ...options,
        })
        return { failures, nextCursor }
      },
      /** Every failure, newest first, fetched page by page. */
      eachFailure: (
        projectId: string,
        scoringId: string,
        query: VersionHistoryQuery = {},
        options?: CallOptions,
      ) =>
        transport.each<ScoringFailure>(path`/v1/${projectId}/scorers/runs/${scoringId}/failures`, {
          query,
          ...options,
        }),
      cancel: (projectId: string, scoringId: string, options?: CallOptions) =>
        transport.json<Scoring>('POST', path`/v1/${projectId}/scorers/runs/${scoringId}/cancel`, options),
    },
    rules: {
      /** From now on, new traces are scored. */
      create: (projectId: string, rule: WithKeys<CreateRule>, options?: CallOptions) =>
        transport.json<Rule>('POST', path`/v1/${projectId}/scorers/rules`, { body: rule, ...options }),
      /** Newest first. */
      list: (projectId: string, options?: CallOptions) =>
        transport.json<Rule[]>('GET', path`/v1/${projectId}/scorers/rules`, options),
      get: (projectId: string, ruleId: string, options?: CallOptions) =>
        transport.json<Rule>('GET', path`/v1/${projectId}/scorers/rules/${ruleId}`, options),
      /** Fields that are left out stay unchanged. */
      update: (projectId: string, ruleId: string, changes: WithKeys<UpdateRule>, options?: CallOptions) =>
        transport.json<Rule>('PATCH', path`/v1/${projectId}/scorers/rules/${ruleId}`, {
          body: changes,
          ...options,
        }),
      delete: (projectId: string, ruleId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', path`/v1/${projectId}/scorers/rules/${ruleId}`, options),
    },
  }
}
