import { CairnError, CreateTrace, ImportedTrace } from '@cairn/contract'
import { AccessService, createAccessStore } from '../domains/access/index.ts'
import { createOtlpStore, deleteSpans, PartImport } from '../domains/otlp/index.ts'
import { createPriceStore, PriceService } from '../domains/prices/index.ts'
import { createRollupStore } from '../domains/rollups/index.ts'
import { createScoreStore, ScoreService } from '../domains/scores/index.ts'
import { ActiveRules, createRuleStore } from '../domains/scoring/index.ts'
import {
  createIdempotencyStore,
  createImportStore,
  createTraceStore,
  ImportService,
  TraceChanges,
  TraceReader,
  TraceRecorder,
  TraceWriter,
} from '../domains/traces/index.ts'
import { compileCheck } from '../http/validation.ts'
import { Scans } from '../lib/scans.ts'
import type { AppDependencies } from './dependencies.ts'
import { createQueues, type Queues } from './queues.ts'

type Dependencies = Pick<AppDependencies, 'config' | 'db'>

export type TraceServices = ReturnType<typeof createTraceServices>

/** What has to do with traces, without the server around it: the commands use it too. */
export function createTraceServices({
  config,
  db,
  queues = createQueues(config, db),
}: Dependencies & { queues?: Pick<Queues, 'scans'> }) {
  const access = new AccessService(createAccessStore(db))
  const prices = new PriceService(createPriceStore(db), access)
  const scores = new ScoreService(createScoreStore(db))
  const rollups = createRollupStore(db)
  const scans = new Scans({
    queue: queues.scans,
    limitMs: config.scanSeconds * 1000,
    refusal: () =>
      new CairnError(
        'invalid_request',
        'these filters take too long over this period; narrow it with start_date and end_date',
      ),
  })
  const traceStore = createTraceStore(db, { onDelete: deleteSpans })
  const ruleStore = createRuleStore(db)
  const activeRules = new ActiveRules(ruleStore)
  const idempotency = createIdempotencyStore(db)
  const pricing = (projectId: string) => prices.pricing(projectId)
  const { maxQueuedTraces, maxQueuedBytes, maxBatchLabels } = config
  const traceRecorder = new TraceRecorder({
    store: traceStore,
    writer: new TraceWriter({ store: traceStore, arrivals: activeRules, maxQueuedTraces, maxQueuedBytes }),
    idempotency,
    pricing,
    checkTrace: compileCheck<CreateTrace>(CreateTrace, 'the trace'),
    maxBatchLabels,
  })
  const traceReader = new TraceReader({ store: traceStore, scores, scans })
  const traceChanges = new TraceChanges({
    store: traceStore,
    idempotency,
    projectExists: (projectId) => access.projectExists(projectId),
    pricing,
    scans,
  })
  const services = { traceRecorder, traceReader, traceChanges }
  return { access, prices, pricing, scores, rollups, scans, traceStore, ...services, ruleStore, activeRules }
}

export function createImportService({ config, db }: Dependencies): ImportService {
  const prices = new PriceService(createPriceStore(db), new AccessService(createAccessStore(db)))
  return new ImportService({
    store: createTraceStore(db),
    imports: createImportStore(db),
    pricing: (projectId) => prices.pricing(projectId),
    checkLine: compileCheck<ImportedTrace>(ImportedTrace, 'the line'),
    maxLineBytes: config.maxJsonBytes,
  })
}

/** Imports the exports of other tools. */
export function createPartImport(
  { db }: Pick<Dependencies, 'db'>,
  onUnusable: (error: unknown, traceId: string) => void,
): PartImport {
  const prices = new PriceService(createPriceStore(db), new AccessService(createAccessStore(db)))
  const pricing = (projectId: string) => prices.pricing(projectId)
  return new PartImport({ store: createOtlpStore(db), pricing, onUnusable })
}
