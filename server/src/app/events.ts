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
import { createGuardedFetch, outgoingPolicy } from '../lib/guarded-fetch.ts'
import { SecretBox } from '../lib/secret-box.ts'
import type { AppDependencies } from './dependencies.ts'

export type EventServices = ReturnType<typeof createEvents>

/** Events with their webhooks, and the runner of background work that delivers them. */
export function createEvents(dependencies: AppDependencies, { access }: { access: AccessService }) {
  const { config, db, encryptionKey, version, logger } = dependencies
  const store = createWebhookStore(db)
  const box = new SecretBox(encryptionKey)
  const urlRules = outgoingPolicy(config.allowInsecureIssuers)
  const { webhookRetrySeconds: retrySeconds } = config
  const fetch = createGuardedFetch(urlRules)
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
  const webhooks = new WebhookService({ store, access, box, urlRules, wake })
  return { jobs, events, webhooks }
}
