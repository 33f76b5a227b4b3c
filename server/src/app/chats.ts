import {
  ApplicationService,
  createApplicationStore,
  createIssuerFetches,
  Identities,
  KeySets,
} from '../domains/applications/index.ts'
import { ChatService, createChatStore } from '../domains/chats/index.ts'
import type { AppDependencies } from './dependencies.ts'
import type { ModelServices } from './models.ts'
import type { TraceServices } from './traces.ts'

export type ChatServices = ReturnType<typeof createChats>

/** Chats; applications, and who their end users are. */
export function createChats(
  { config, db }: AppDependencies,
  { access, models }: TraceServices & ModelServices,
) {
  const chats = new ChatService(createChatStore(db), access, (name) => models.isKnown(name))
  const store = createApplicationStore(db)
  const { allowInsecureIssuers: allowHttp } = config
  const identities = new Identities(store, new KeySets({ fetches: createIssuerFetches(allowHttp) }))
  const onChange = () => identities.forgetApplications()
  const applications = new ApplicationService({ store, access, chats, allowHttp, onChange })
  return { chats, applications, identities }
}
