import {
  ApplicationService,
  createApplicationStore,
  createIssuerFetches,
  Identities,
  KeySets,
} from '../domains/applications/index.ts'
import { ChatService, createChatDeletionStore, createChatStore } from '../domains/chats/index.ts'
import { deletionQueue } from '../jobs/index.ts'
import type { ServiceDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'
import type { ModelServices } from './models.ts'
import type { TraceServices } from './traces.ts'

export type ChatServices = ReturnType<typeof createChats>

/** Chats; applications, and who their end users are. */
export function createChats(
  { config, db, outgoing }: ServiceDependencies,
  { access, models, jobs }: TraceServices & ModelServices & EventServices,
) {
  const wake = () => jobs.wake(deletionQueue)
  const chats = new ChatService({
    store: createChatStore(db),
    deletions: createChatDeletionStore(db),
    access,
    isKnownModel: (name) => models.isKnown(name),
    isKnownReranker: (name) => models.rerank(name) !== undefined,
    problemOfEmbedding: (name) => models.problemOfEmbedding(name),
    wake,
  })
  const store = createApplicationStore(db)
  const { allowInsecureIssuers: allowHttp } = config
  const identities = new Identities(store, new KeySets({ fetches: createIssuerFetches(outgoing) }))
  const onChange = () => identities.forgetApplications()
  const applications = new ApplicationService({ store, access, chats, allowHttp, onChange, wake })
  return { chats, applications, identities }
}
