import type { AccessService } from '../domains/access/index.ts'
import {
  createEventStore,
  createWebhookStore,
  deliveryJobs,
  deliveryQueue,
  EventService,
  WebhookService,
} from '../domains/events/index.ts'
import { createJobStore, JobRunner } from '../jobs/index.ts'
import { createGuardedFetch } from '../lib/guarded-fetch.ts'
import { SecretBox } from '../lib/secret-box.ts'
import type { ServiceDependencies } from './dependencies.ts'

export type EventServices = ReturnType<typeof createEvents>

/** Events with their webhooks, and the runner of background work that delivers them. */
export function createEvents(dependencies: ServiceDependencies, { access }: { access: AccessService }) {
  const { config, db, encryptionKey, version, logger, outgoing } = dependencies
  const store = createWebhookStore(db)
  const box = new SecretBox(encryptionKey)
  const { webhookRetrySeconds: retrySeconds } = config
  const fetch = createGuardedFetch(outgoing)
  const jobs = new JobRunner({
    store: createJobStore(db),
    leaseMs: config.jobLeaseSeconds * 1000,
    report: ({ error, ...job }) => logger.error({ err: error, ...job }, 'a job failed'),
  })
  jobs.handle({
    [deliveryQueue]: deliveryJobs({ store, box, fetch, retrySeconds, userAgent: `Cairn/${version}` }),
  })
  const wake = () => jobs.wake(deliveryQueue)
  const events = new EventService(createEventStore(db), access, wake)
  const webhooks = new WebhookService({ store, access, box, urlRules: outgoing, wake })
  return { jobs, events, webhooks }
}
