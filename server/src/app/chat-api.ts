import {
  AnsweringService,
  createTurnStore,
  PreparationService,
  QuestionRewriter,
  Rankers,
  Reranking,
  SearchService,
} from '../domains/answering/index.ts'
import { vectorQueue } from '../domains/chats/index.ts'
import {
  CleanupService,
  createCleanupStore,
  createDocumentStore,
  createDocumentSweeper,
  createEditStore,
  createExtractionPool,
  createFileStore,
  DocumentReader,
  DocumentService,
  EditService,
  FileService,
  RunningUploads,
  relatingQueue,
  TextService,
  UserFileService,
} from '../domains/documents/index.ts'
import { createFeedbackStore, FeedbackService } from '../domains/feedback/index.ts'
import {
  createChatLookupStore,
  createGraphStore,
  createRelationshipStore,
  GraphService,
  RelationshipService,
} from '../domains/graph/index.ts'
import { createRelatingPool, createRelatingStore, relatingJobs } from '../domains/relating/index.ts'
import {
  createEmbeddingStore,
  createIndexingPool,
  createNeighbourStore,
  createRetrievalStore,
  createVectorStore,
  EmbeddingService,
  Embeddings,
  RetrievalService,
  Scratch,
  vectorJobs,
} from '../domains/retrieval/index.ts'
import { createScopeStore, ScopeService } from '../domains/scopes/index.ts'
import type { ChatServices } from './chats.ts'
import type { CreditServices } from './credits.ts'
import type { ServiceDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'
import type { ModelServices } from './models.ts'
import type { TraceServices } from './traces.ts'

export type AnsweringServices = ReturnType<typeof createAnswering>

type Foundation = TraceServices & ModelServices & EventServices
type Embedding = Foundation & { embeddings: Embeddings }

/** What reads and writes the documents of chats and their graph. */
function createDocuments(
  { config, db, logger, queues }: ServiceDependencies,
  { chats, events, embeddings, scans }: Embedding & ChatServices,
) {
  const extraction = createExtractionPool({
    timeoutMs: config.processingSeconds * 1000,
    width: config.extractions,
    maxMemoryBytes: config.extractionBytes,
    maxTextBytes: config.maxTextBytes,
    quick: queues.extraction,
    long: queues.longExtraction,
    maxBytesPerProject: config.maxWaitingFileBytes,
    onUnexpected: ({ message }) =>
      logger.warn({ cause: message }, 'a file could not be read for an unexpected reason'),
  })
  const reader = new DocumentReader(extraction, embeddings, config.processingSeconds * 1000)
  const scopes = new ScopeService(createScopeStore(db))
  const sweeper = createDocumentSweeper(db)
  const store = createDocumentStore(db, sweeper)
  const uploads = new RunningUploads()
  const files = new FileService(createFileStore(db, sweeper), events, uploads)
  const edits = new EditService(createEditStore(db, sweeper), events)
  const graphStore = createGraphStore(db)
  const documents = new DocumentService({ store, reader, events, scopes, uploads })
  return {
    extraction,
    sweeper,
    scopes,
    documents,
    userFiles: new UserFileService({ documents, files, scopes, maxFileBytes: config.maxFileBytes }),
    texts: new TextService({ store, reader, extraction, events, scopes }),
    files,
    cleanup: new CleanupService(createCleanupStore(db, sweeper), events, chats),
    graph: new GraphService({ store: graphStore, edits, files, scans }),
    relationships: new RelationshipService(createRelationshipStore(db), graphStore),
    owners: createChatLookupStore(db),
  }
}

/** The indexes of chats, with the background work on their vectors. */
function createRetrieval(
  { config, db, logger, queues }: ServiceDependencies,
  { jobs, whenChanged, embeddings, models, chats }: Embedding & ChatServices,
) {
  const indexing = createIndexingPool()
  // A fit takes seconds: questions whose chat has to be indexed anew do not wait for it.
  const fitting = createIndexingPool()
  const searched = {
    store: createRetrievalStore(db),
    vectors: createVectorStore(db),
    pool: indexing,
    embeddings,
    scratch: new Scratch(),
  }
  const retrieval = new RetrievalService({
    ...searched,
    neighbours: createNeighbourStore(db),
    maxBytes: config.indexBytes,
    queues,
    wake: () => jobs.wake(vectorQueue),
    onFailedEmbedding: (error) => logger.warn({ err: error }, 'a question could not be embedded'),
  })
  const embedding = new EmbeddingService({
    ...searched,
    store: createEmbeddingStore(db),
    serverModel: () => models.embedding,
    exists: async (chatId) => (await chats.projectOf(chatId)) !== undefined,
    wake: () => jobs.wake(vectorQueue),
    onFailure: (error) => logger.error({ err: error }, 'the jobs that compute vectors could not be queued'),
  })
  // Documents may want other vectors now.
  const changed = () => {
    retrieval.clearIndexes()
    embedding.retryNow()
  }
  whenChanged(changed, () => embedding.start())
  const onSkipped = (chatId: string, error: Error) =>
    logger.warn(
      { chat_id: chatId, cause: error.message },
      'vectors of a chat of this size take too much; it is searched without them until it has changed much',
    )
  jobs.handle({ [vectorQueue]: vectorJobs({ ...searched, pool: fitting, onSkipped }) })
  return { indexing, fitting, retrieval, embedding }
}

/** Documents of chats, and the answers found in them. */
export function createAnswering(
  dependencies: ServiceDependencies,
  services: Foundation & ChatServices & CreditServices,
) {
  const { config, db, logger, queues } = dependencies
  const { chats, traceRecorder, meter, models, jobs, prices } = services
  const { choiceOf } = createEmbeddingStore(db)
  const embeddings = new Embeddings(models, choiceOf)
  const documents = createDocuments(dependencies, { ...services, embeddings })
  const { retrieval, indexing, fitting, embedding } = createRetrieval(dependencies, {
    ...services,
    embeddings,
  })
  const relating = createRelatingPool()
  jobs.handle({
    [relatingQueue]: relatingJobs({
      store: createRelatingStore(db),
      pool: relating,
      mode: config.relationships,
      model: () => models.chat(models.defaultName ?? ''),
    }),
  })
  const turns = createTurnStore(db)
  const pricing = (projectId: string) => prices.pricing(projectId)
  const reranking = new Reranking({
    queue: queues.rankings,
    timeoutMs: config.rerankSeconds * 1000,
    meter,
    pricing,
    onUnexpected: (error) => logger.error({ err: error }, 'the passages of a question could not be ranked'),
  })
  const rankers = new Rankers(models, reranking)
  const searched = { chats, scopes: documents.scopes, retrieval, rankers }
  const { modelAnswers, searches } = queues
  const rewriter = new QuestionRewriter({ meter, pricing, modelAnswers })
  const questions = new PreparationService({ ...searched, models, turns, rewriter, searches })
  const contextSearch = new SearchService(searched)
  const answering = new AnsweringService({
    traces: traceRecorder,
    meter,
    turns,
    patienceMs: config.heartbeatSeconds * 1000,
    modelAnswers,
  })
  const feedback = new FeedbackService(createFeedbackStore(db), chats)
  const answers = { turns, questions, contextSearch, answering, feedback }
  return { ...documents, retrieval, embedding, indexing, fitting, relating, ...answers }
}
