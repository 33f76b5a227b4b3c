import type { Queue } from '../../jobs/index.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { createGuardedFetch, type OutgoingPolicy } from '../../lib/guarded-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Models } from '../../models/models.ts'
import type { AnsweringService, PreparationService } from '../answering/index.ts'
import type { ChatService } from '../chats/index.ts'
import type { Meter } from '../credits/index.ts'
import type { ScoringService } from '../scorers/index.ts'
import type { TraceReader, TraceRecorder } from '../traces/index.ts'
import type { VersionService } from '../versions/index.ts'
import { callTarget } from './call.ts'
import { createEvaluators } from './evaluators.ts'
import { laneJobs } from './lane.ts'
import { CheckLimitError, createCheckPool } from './pool.ts'
import { RunResultsService } from './run-results.ts'
import { RunService } from './runs.ts'
import type { ResultStore } from './store-results.ts'
import type { RunStore } from './store-runs.ts'
import type { SuiteStore } from './store-suites.ts'
import { SuiteService } from './suites.ts'
import { RunWatch } from './watch.ts'

export interface TestingDependencies {
  stores: { suites: SuiteStore; runs: RunStore; results: ResultStore }
  box: SecretBox
  policy: OutgoingPolicy
  userAgent: string
  models: Models
  scoring: ScoringService
  traceReader: TraceReader
  traceRecorder: TraceRecorder
  chats: ChatService
  versions: VersionService
  questions: PreparationService
  answering: AnsweringService
  meter: Meter
  /** Starts lanes at once. */
  wake: () => void
  /** Queue of checks by regular expressions and JSON schemas, in which projects take turns. */
  checks: FairQueue
  /** Starts deliveries of events at once. */
  wakeEvents: () => void
  limits: { concurrency: number; timeoutMs: number; casesAtOnce: number }
}

export interface Testing {
  suites: SuiteService
  runs: RunService
  results: RunResultsService
  queue: Queue
  close(): Promise<void>
}

/** Creates the services for suites and runs, and the queue of the jobs of runs. */
export function createTesting(dependencies: TestingDependencies): Testing {
  const { stores, box, policy, userAgent, models, scoring, chats, versions, limits } = dependencies
  const { traceReader, traceRecorder, questions, answering, meter, wake, wakeEvents } = dependencies
  const checks = createCheckPool(dependencies.checks)
  const fetch = createGuardedFetch(policy)
  const watch = new RunWatch(
    async (projectId, runId) => (await stores.runs.find(projectId, runId))?.status === 'running',
  )
  const isKnownModel = (name: string) => models.isKnown(name)
  const targets = {
    urlRules: policy,
    isKnownModel,
    hasChat: async (projectId: string, chatId: string) =>
      (await chats.findOf(projectId, chatId)) !== undefined,
  }
  const suites = new SuiteService({
    store: stores.suites,
    box,
    targets,
    lookups: (projectId) => ({
      hasScorer: (slug) => scoring.has(projectId, slug),
      schemaProblem: (schema) =>
        checks.schemaProblem(projectId, schema).catch((error: unknown) => {
          if (error instanceof CheckLimitError) return error.message
          throw error
        }),
    }),
    trace: (projectId, traceId) => traceReader.get(projectId, traceId),
    runs: stores.runs,
    watch,
  })
  const runs = new RunService({
    store: stores.runs,
    suites,
    box,
    targets,
    directory: {
      firstPublishedChat: (projectId) => chats.firstPublished(projectId),
      isPublished: async (projectId, chatId) => {
        const chat = await chats.findOf(projectId, chatId)
        return chat && chat.published_settings !== null
      },
      activeVersion: (projectId) => versions.find(projectId),
      isKnownModel,
      canRun: (name) => models.exactly(name) !== undefined,
    },
    findVersion: (projectId, versionId) => versions.find(projectId, versionId),
    watch,
    wake: () => {
      wake()
      wakeEvents()
    },
    defaults: limits,
  })
  const queue = laneJobs({
    results: stores.results,
    traceReader,
    traceRecorder,
    watch,
    box,
    call: (target, call, signal) =>
      callTarget(target, call, { questions, answering, models, meter, fetch, userAgent }, signal),
    evaluators: createEvaluators({ checks, scoring, embedding: () => models.embedding }),
    concurrency: limits.casesAtOnce,
    wakeEvents,
  })
  const results = new RunResultsService({ runs: stores.runs, results: stores.results, suites })
  return { suites, runs, results, queue, close: () => checks.close() }
}
