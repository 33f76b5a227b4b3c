import type { Config } from '../config.ts'
import { accessRoutes, signInRoutes } from '../domains/access/index.ts'
import { analyticsRoutes } from '../domains/analytics/index.ts'
import {
  answeringRoutes,
  internalAnsweringRoutes,
  UserAnswers,
  userAnsweringRoutes,
} from '../domains/answering/index.ts'
import { applicationRoutes, profileRoutes } from '../domains/applications/index.ts'
import { auditRoutes } from '../domains/audit/index.ts'
import { chatRoutes, chatSettingsRoutes } from '../domains/chats/index.ts'
import { budgetRoutes, multiplierRoutes } from '../domains/credits/index.ts'
import { documentRoutes, fileRoutes, internalRoutes, userFileRoutes } from '../domains/documents/index.ts'
import { eventRoutes, userEventRoutes, webhookRoutes } from '../domains/events/index.ts'
import { feedbackRoutes, userFeedbackRoutes } from '../domains/feedback/index.ts'
import { graphRoutes, relationshipRoutes } from '../domains/graph/index.ts'
import { otlpRoutes } from '../domains/otlp/index.ts'
import { priceRoutes } from '../domains/prices/index.ts'
import { providerRoutes } from '../domains/providers/index.ts'
import { embeddingRoutes } from '../domains/retrieval/index.ts'
import { scopeRoutes } from '../domains/scopes/index.ts'
import { scorerRoutes } from '../domains/scorers/index.ts'
import { scoreRoutes } from '../domains/scores/index.ts'
import { batchRoutes, ruleRoutes } from '../domains/scoring/index.ts'
import { sessionRoutes } from '../domains/sessions/index.ts'
import { runRoutes, suiteRoutes } from '../domains/testing/index.ts'
import { traceRoutes } from '../domains/traces/index.ts'
import { usageRoutes } from '../domains/usage/index.ts'
import { versionRoutes } from '../domains/versions/index.ts'
import type { App } from '../http/fastify.ts'
import type { Services } from './services.ts'

/** The order is that of the API reference. */
export function registerRoutes(app: App, config: Config, services: Services): void {
  const exporting = { maxMs: config.exportSeconds * 1000 }
  const files = { maxFileBytes: config.maxFileBytes }
  const heartbeat = { heartbeatMs: config.heartbeatSeconds * 1000 }

  accessRoutes(app, services.access)
  signInRoutes(app, services.signIns)
  chatRoutes(app, services.chats)
  chatSettingsRoutes(app, services.chats)
  applicationRoutes(app, services.applications)
  profileRoutes(app)
  auditRoutes(app, services.audit)
  priceRoutes(app, services.prices)
  providerRoutes(app, { ...services, models: services.catalogue })
  embeddingRoutes(app, services.embedding)
  multiplierRoutes(app, services.multipliers)
  budgetRoutes(app, services.budgets)
  usageRoutes(app, services.usage)

  traceRoutes(app, services)
  otlpRoutes(app, services.otlp, config)
  scoreRoutes(app, services.scores)
  analyticsRoutes(app, services, exporting)
  sessionRoutes(app, services.sessions)
  versionRoutes(app, services.versions)
  suiteRoutes(app, services.testing.suites)
  runRoutes(app, services.testing, exporting)
  scorerRoutes(app, services.scorers, services.scoring)
  batchRoutes(app, services.batches)
  ruleRoutes(app, services.rules)

  scopeRoutes(app, services.scopes)
  documentRoutes(app, services.documents, files)
  fileRoutes(app, services.files)
  userFileRoutes(app, services.userFiles, files)
  internalRoutes(app, services, files)
  answeringRoutes(app, services, heartbeat)
  internalAnsweringRoutes(app, services, heartbeat)
  userAnsweringRoutes(app, new UserAnswers(services.questions, services.answering), heartbeat)
  feedbackRoutes(app, services.feedback)
  userFeedbackRoutes(app, services.feedback)
  graphRoutes(app, services.graph)
  relationshipRoutes(app, services.relationships)

  eventRoutes(app, services.events)
  userEventRoutes(app, services.events)
  webhookRoutes(app, services.webhooks)
}
