import { createSignInStore, SignIns } from '../domains/access/index.ts'
import { AuditService, createAuditStore } from '../domains/audit/index.ts'
import { outgoingPolicy } from '../lib/guarded-fetch.ts'
import { createHostLookup } from '../lib/host-lookup.ts'
import { createAnswering } from './chat-api.ts'
import { type ChatServices, createChats } from './chats.ts'
import { type CreditServices, createCredits } from './credits.ts'
import { startDeletions } from './deletions.ts'
import type { AppDependencies, ServiceDependencies } from './dependencies.ts'
import { createEvents, type EventServices } from './events.ts'
import { createModels } from './models.ts'
import { createOtlp } from './otlp.ts'
import { createAnalytics, createScoring, createVersionsAndTests } from './project-api.ts'
import { createQueues } from './queues.ts'
import { createTraceServices, type TraceServices } from './traces.ts'

export type Services = ReturnType<typeof createServices>

/** All services, each over those above it. */
export function createServices(given: AppDependencies) {
  const queues = createQueues(given.config, given.db)
  const outgoing = outgoingPolicy(given.config.allowInsecureIssuers, createHostLookup())
  const dependencies: ServiceDependencies = { ...given, queues, outgoing }
  const traces = createTraceServices(dependencies)
  const models = createModels(dependencies)
  const events = createEvents(dependencies, traces)
  const base = { ...traces, ...models, ...events }
  const chats = createChats(dependencies, base)
  const credits = createCredits(dependencies, { ...base, ...chats })
  const common = { ...base, ...chats, ...credits }
  const answering = createAnswering(dependencies, common)
  startDeletions(dependencies, { ...common, ...answering })
  const scoring = createScoring(dependencies, common)
  return {
    ...common,
    queues,
    ...answering,
    ...createOtlp(dependencies, common),
    ...createAnalytics(dependencies, common),
    ...scoring,
    ...createVersionsAndTests(dependencies, { ...common, ...answering, ...scoring }),
    ...createConsole(dependencies, common),
  }
}

/** Who is signed in to the console, and what was changed there. */
function createConsole(
  { db, adminToken }: AppDependencies,
  {
    access,
    chats,
    webhooks,
    budgets,
    applications,
  }: TraceServices & EventServices & ChatServices & CreditServices,
) {
  const audit = new AuditService({
    store: createAuditStore(db),
    projectOf: {
      chat_id: (id) => chats.projectOf(id),
      key_id: (id) => access.projectOfKey(id),
      webhook_id: (id) => webhooks.projectOf(id),
      budget_id: (id) => budgets.projectOf(id),
      app_id: (id) => applications.projectOf(id),
    },
    secrets: [adminToken],
  })
  return { audit, signIns: new SignIns(createSignInStore(db), adminToken) }
}
