import { leaseMs } from '../domains/documents/index.ts'
import { sweep } from '../domains/traces/index.ts'
import type { App } from '../http/fastify.ts'
import { runFor } from '../lib/current-work.ts'
import type { AppDependencies } from './dependencies.ts'
import { repeat } from './repeat.ts'
import type { Services } from './services.ts'

/** Takes out what is too old, and what was left half done; answers how to stop. */
export function startSweeps(
  app: App,
  { config }: AppDependencies,
  { access, traceChanges, turns, otlp, sweeper }: Services,
): () => Promise<void> {
  const old = async () => {
    const deleted = await sweep({ projects: access, traces: traceChanges, others: [turns] })
    for (const { project_id } of await access.listProjects()) {
      await runFor([project_id], () => otlp.forgetDeleted(project_id))
    }
    if (deleted > 0) app.log.info({ deleted }, 'deleted traces that were older than their project keeps them')
  }
  const abandoned = async () => {
    const documents = await sweeper.sweepAbandoned()
    if (documents > 0) app.log.info({ documents }, 'took out what was left of documents')
  }
  const logged = (run: () => Promise<void>) => () =>
    run().catch((error) => app.log.error(error, 'the sweep failed; the next one tries again'))
  const stops = [
    repeat(app, { everyMs: config.sweepSeconds * 1000, atStart: false, run: logged(old) }),
    repeat(app, { everyMs: leaseMs, atStart: true, run: logged(abandoned) }),
  ]
  return async () => {
    for (const stop of stops) await stop()
  }
}
