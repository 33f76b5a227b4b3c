import { sql } from 'kysely'
import { type Db, perRow } from '../../db/index.ts'
import { type TraceConditions, type TracePage, type TracePosition, whereTraces } from '../traces/index.ts'

/** A session with the position of its newest trace, which is the position of the session in the list. */
export interface SessionPosition extends TracePosition {
  sessionId: string
}

export interface SessionSums {
  session_id: string
  trace_count: number
  priced_count: number
  error_count: number
  total_cost: number | null
  total_tokens: number | null
  avg_latency_ms: number | null
  first_at: number
  last_at: number
}

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore(db: Db) {
  return {
    /**
     * Sessions whose newest trace is in a slice, newest first: traces without a later trace of the same
     * session. At least one trace of the session must meet the other conditions.
     */
    newest(
      projectId: string,
      { startMs, endMs, after, upTo }: TraceConditions,
      others: TraceConditions,
      limit: number,
    ): Promise<SessionPosition[]> {
      let query = db.scans
        .selectFrom('traces as newest')
        .where('newest.project_id', '=', projectId)
        .where('newest.session_id', 'is not', null)
        .where((eb) => {
          const later = eb
            .selectFrom('traces as later')
            .select('later.trace_id')
            .where('later.project_id', '=', projectId)
            .whereRef('later.session_id', '=', 'newest.session_id')
            .where((inner) =>
              inner(
                inner.refTuple('later.created_at', 'later.trace_id'),
                '>',
                inner.refTuple('newest.created_at', 'newest.trace_id'),
              ),
            )
          return eb.not(eb.exists(perRow(later)))
        })
      if (Object.values(others).some((value) => value !== undefined)) {
        const matching = whereTraces(db.dialect, db.scans.selectFrom('traces'), projectId, others)
          .select('traces.trace_id')
          .whereRef('traces.session_id', '=', sql.ref('newest.session_id'))
        query = query.where((eb) => eb.exists(perRow(matching)))
      }
      if (startMs !== undefined) query = query.where('newest.created_at', '>=', startMs)
      if (endMs !== undefined) query = query.where('newest.created_at', '<', endMs)
      for (const [comparison, position] of [
        ['<', after],
        ['>=', upTo],
      ] as const) {
        if (!position) continue
        query = query.where((eb) =>
          eb(
            eb.refTuple('newest.created_at', 'newest.trace_id'),
            comparison,
            eb.tuple(position.createdMs, position.traceId),
          ),
        )
      }
      return query
        .select([
          sql<string>`newest.session_id`.as('sessionId'),
          'newest.created_at as createdMs',
          'newest.trace_id as traceId',
        ])
        .orderBy('newest.created_at', 'desc')
        .orderBy('newest.trace_id', 'desc')
        .limit(limit)
        .execute()
    },

    /** Sums over all traces of each session, unordered. */
    async sums(projectId: string, sessionIds: readonly string[]): Promise<SessionSums[]> {
      if (sessionIds.length === 0) return []
      return db.scans
        .selectFrom('traces')
        .select((eb) => [
          sql<string>`session_id`.as('session_id'),
          eb.fn.countAll<number>().as('trace_count'),
          sql<number>`sum(case when status = 'error' then 1 else 0 end)`.as('error_count'),
          eb.fn.count<number>('cost').as('priced_count'),
          eb.fn.sum<number | null>('cost').as('total_cost'),
          eb.fn.sum<number | null>('total_tokens').as('total_tokens'),
          eb.fn.avg<number | null>('latency_ms').as('avg_latency_ms'),
          eb.fn.min('created_at').as('first_at'),
          eb.fn.max('created_at').as('last_at'),
        ])
        .where('project_id', '=', projectId)
        .where('session_id', 'in', sessionIds)
        .groupBy('session_id')
        .execute()
    },

    /** By session: the user of the newest trace with a user. */
    async users(projectId: string, sessionIds: readonly string[]): Promise<Map<string, string>> {
      if (sessionIds.length === 0) return new Map()
      const rows = await db.scans
        .selectFrom((eb) =>
          eb
            .selectFrom('traces')
            .select([
              'session_id',
              'user_id',
              sql<number>`row_number() over (partition by session_id order by created_at desc, trace_id desc)`.as(
                'place',
              ),
            ])
            .where('project_id', '=', projectId)
            .where('session_id', 'in', sessionIds)
            .where('user_id', 'is not', null)
            .as('ranked'),
        )
        .select([sql<string>`session_id`.as('sessionId'), sql<string>`user_id`.as('userId')])
        .where('place', '=', 1)
        .execute()
      return new Map(rows.map(({ sessionId, userId }) => [sessionId, userId]))
    },

    /** The traces of a session, oldest first. */
    traces(projectId: string, sessionId: string, { limit, after }: TracePage): Promise<TracePosition[]> {
      let query = db.read
        .selectFrom('traces')
        .select(['created_at as createdMs', 'trace_id as traceId'])
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
      if (after) {
        query = query.where((eb) =>
          eb(eb.refTuple('created_at', 'trace_id'), '>', eb.tuple(after.createdMs, after.traceId)),
        )
      }
      return query.orderBy('created_at').orderBy('trace_id').limit(limit).execute()
    },
  }
}
