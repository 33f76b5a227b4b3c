import {
  AnalyticsService,
  createAnalyticsStore,
  createScoreListStore,
  ScoreList,
} from '../domains/analytics/index.ts'
import { createScorerStore, LocalScorers, ScorerService, ScoringService } from '../domains/scorers/index.ts'
import {
  BatchService,
  batchJobs,
  batchQueue,
  createBatchStore,
  RuleService,
  ruleJobs,
  ruleQueue,
} from '../domains/scoring/index.ts'
import { createSessionStore, SessionService } from '../domains/sessions/index.ts'
import {
  createResultStore,
  createRunStore,
  createSuiteStore,
  createTesting,
  runQueue,
  runsOfVersions,
} from '../domains/testing/index.ts'
import { createVersionStore, VersionService } from '../domains/versions/index.ts'
import { SecretBox } from '../lib/secret-box.ts'
import type { AnsweringServices } from './chat-api.ts'
import type { ChatServices } from './chats.ts'
import type { CreditServices } from './credits.ts'
import type { ServiceDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'
import type { ModelServices } from './models.ts'
import type { TraceServices } from './traces.ts'

type Foundation = TraceServices & ModelServices & EventServices & CreditServices

/** What is read from many traces: figures, scores, sessions. */
export function createAnalytics(
  { db, queues }: ServiceDependencies,
  { rollups, traceReader, traceStore, scans }: TraceServices,
) {
  const scores = createScoreListStore(db)
  return {
    analytics: new AnalyticsService({
      store: createAnalyticsStore(db),
      scores,
      traces: traceStore,
      rollups,
      scans,
      exports: queues.exports,
    }),
    scoreList: new ScoreList(scores, scans),
    sessions: new SessionService({
      store: createSessionStore(db),
      traceStore,
      traces: traceReader,
      scans,
    }),
  }
}

/** Scorers, and the background jobs that score stored and new traces. */
export function createScoring({ db, queues }: ServiceDependencies, services: Foundation) {
  const { models, prices, traceReader, scores, ruleStore, activeRules, meter, jobs } = services
  const store = createScorerStore(db)
  const local = new LocalScorers(queues.localScorers)
  const scoring = new ScoringService({
    store,
    models,
    local,
    modelAnswers: queues.modelAnswers,
    traces: traceReader,
    scores,
    pricing: (projectId) => prices.pricing(projectId),
    meter,
  })
  const batches = createBatchStore(db)
  const tools = { scoring, traces: traceReader, local, modelCalls: queues.modelScorers }
  jobs.handle({
    [batchQueue]: batchJobs({ ...tools, store: batches, scores }),
    [ruleQueue]: ruleJobs({ ...tools, store: ruleStore }),
  })
  return {
    scorers: new ScorerService(store, models),
    scoring,
    localScorers: local,
    batches: new BatchService(batches, scoring, () => jobs.wake(batchQueue)),
    rules: new RuleService(ruleStore, scoring, activeRules),
  }
}

/** Versions, and suites of tests with their runs. */
export function createVersionsAndTests(
  { config, db, encryptionKey, version, queues, outgoing }: ServiceDependencies,
  services: Foundation &
    Pick<ChatServices, 'chats'> &
    Pick<AnsweringServices, 'questions' | 'answering'> & { scoring: ScoringService },
) {
  const {
    rollups,
    models,
    meter,
    scoring,
    traceReader,
    traceRecorder,
    chats,
    questions,
    answering,
    events,
    jobs,
  } = services
  const runs = createRunStore(db)
  const versions = new VersionService(createVersionStore(db), rollups, events, {
    ofVersions: (projectId, a, b) => runsOfVersions(runs, projectId, a, b),
  })
  const testing = createTesting({
    stores: { suites: createSuiteStore(db), runs, results: createResultStore(db) },
    box: new SecretBox(encryptionKey),
    policy: outgoing,
    userAgent: `Cairn/${version}`,
    models,
    meter,
    scoring,
    traceReader,
    traceRecorder,
    chats,
    versions,
    questions,
    answering,
    wake: () => jobs.wake(runQueue),
    checks: queues.checks,
    wakeEvents: () => events.wake(),
    limits: {
      concurrency: config.runConcurrency,
      timeoutMs: config.caseSeconds * 1000,
      casesAtOnce: config.maxCases,
    },
  })
  jobs.handle({ [runQueue]: testing.queue })
  return { versions, testing }
}
