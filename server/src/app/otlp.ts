import { assemblyJobs, assemblyQueue, createOtlpStore, Inbox, OtlpService } from '../domains/otlp/index.ts'
import type { AppDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'
import type { TraceServices } from './traces.ts'

/** Spans that arrive by OTLP, and the jobs that make traces of them. */
export function createOtlp(
  { config, db, logger }: AppDependencies,
  { jobs, pricing, activeRules }: Pick<TraceServices, 'pricing' | 'activeRules'> & EventServices,
) {
  const store = createOtlpStore(db)
  const inbox = new Inbox({
    store,
    maxQueuedItems: config.maxQueuedTraces,
    maxQueuedBytes: config.maxQueuedBytes,
    onWritten: () => jobs.wake(assemblyQueue),
  })
  jobs.handle({
    [assemblyQueue]: assemblyJobs({
      store,
      pricing,
      arrivals: activeRules,
      onUnusable: (error, traceId) =>
        logger.warn({ err: error, trace_id: traceId }, 'the spans of a trace could not be mapped to a trace'),
    }),
  })
  return { otlp: new OtlpService({ store, inbox }), spanInbox: inbox }
}
