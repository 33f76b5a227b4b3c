import type {
  AuditEntry,
  AuditQuery,
  BuiltInPrice,
  Chat,
  CreateChat,
  CreatedKey,
  CreateKey,
  CreateProject,
  Deleted,
  EmbeddingProgress,
  Key,
  ListPricesQuery,
  Project,
  ProjectPrice,
  Publication,
  RepricedTraces,
  RepriceTraces,
  ServerStatus,
  SetPrice,
  SignIn,
  UpdateChat,
  UpdateProject,
} from '@cairn/contract'
import { applicationCalls } from './applications.ts'
import { creditCalls, modelCalls } from './credits.ts'
import { eventCalls } from './event-log.ts'
import type { Page } from './pages.ts'
import { type CallOptions, type ClientOptions, path, Transport } from './transport.ts'
import { webhookCalls } from './webhooks.ts'

export interface AuditPage extends Page {
  entries: AuditEntry[]
}

/** Calls that need the admin token. */
export function consoleCalls(client: ClientOptions) {
  const transport = new Transport(client, 'admin')
  const open = new Transport(client, 'none')
  const base = '/v1/console'

  /** One page of console changes, newest first. */
  async function audit(query: AuditQuery = {}, options?: CallOptions): Promise<AuditPage> {
    const at = `${base}/audit`
    const { page: entries, nextCursor } = await transport.page<AuditEntry[]>(at, { query, ...options })
    return { entries, nextCursor }
  }

  return {
    audit,
    /** Every console change, newest first, fetched page by page. */
    eachChange: (query: AuditQuery = {}, options?: CallOptions) =>
      transport.each<AuditEntry>(`${base}/audit`, { query, ...options }),
    /** Restarts, memory, queues and limits of the server process that responds. */
    server: (options?: CallOptions) => transport.json<ServerStatus>('GET', `${base}/server`, options),
    /** Sign-in of the dashboard. It sets a cookie that scripts cannot read, for pages of this server. */
    session: {
      signIn: (adminToken: string, options?: CallOptions) =>
        new Transport({ ...client, adminToken, session: false }, 'admin').json<SignIn>(
          'POST',
          `${base}/session`,
          options,
        ),
      get: (options?: CallOptions) => open.json<SignIn>('GET', `${base}/session`, options),
      signOut: (options?: CallOptions) => transport.json<SignIn>('DELETE', `${base}/session`, options),
    },
    projects: {
      create: (project: CreateProject, options?: CallOptions) =>
        transport.json<Project>('POST', `${base}/projects`, { body: project, ...options }),
      list: (options?: CallOptions) => transport.json<Project[]>('GET', `${base}/projects`, options),
      get: (projectId: string, options?: CallOptions) =>
        transport.json<Project>('GET', base + path`/projects/${projectId}`, options),
      update: (projectId: string, changes: UpdateProject, options?: CallOptions) =>
        transport.json<Project>('PATCH', base + path`/projects/${projectId}`, { body: changes, ...options }),
      /** Deletes the project with all its data. */
      delete: (projectId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', base + path`/projects/${projectId}`, options),
      /** Computes the costs of its traces again, except costs that a client sent. */
      reprice: (projectId: string, which: RepriceTraces = {}, options?: CallOptions) =>
        transport.json<RepricedTraces>('POST', base + path`/projects/${projectId}/reprice`, {
          body: which,
          ...options,
        }),
    },
    keys: {
      /** `api_key` is only in this response; the server does not show it again. */
      createForProject: (projectId: string, key: CreateKey = {}, options?: CallOptions) =>
        transport.json<CreatedKey>('POST', base + path`/projects/${projectId}/keys`, {
          body: key,
          ...options,
        }),
      /** Like `createForProject`. Enables API access if the chat has no other key. */
      createForChat: (chatId: string, key: CreateKey = {}, options?: CallOptions) =>
        transport.json<CreatedKey>('POST', base + path`/chats/${chatId}/keys`, { body: key, ...options }),
      listOfProject: (projectId: string, options?: CallOptions) =>
        transport.json<Key[]>('GET', base + path`/projects/${projectId}/keys`, options),
      listOfChat: (chatId: string, options?: CallOptions) =>
        transport.json<Key[]>('GET', base + path`/chats/${chatId}/keys`, options),
      revoke: (keyId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', base + path`/keys/${keyId}`, options),
    },
    chats: {
      create: (projectId: string, chat: CreateChat, options?: CallOptions) =>
        transport.json<Chat>('POST', base + path`/projects/${projectId}/chats`, { body: chat, ...options }),
      list: (projectId: string, options?: CallOptions) =>
        transport.json<Chat[]>('GET', base + path`/projects/${projectId}/chats`, options),
      get: (chatId: string, options?: CallOptions) =>
        transport.json<Chat>('GET', base + path`/chats/${chatId}`, options),
      update: (chatId: string, changes: UpdateChat, options?: CallOptions) =>
        transport.json<Chat>('PATCH', base + path`/chats/${chatId}`, { body: changes, ...options }),
      publish: (chatId: string, options?: CallOptions) =>
        transport.json<Chat>('POST', base + path`/chats/${chatId}/publish`, options),
      unpublish: (chatId: string, options?: CallOptions) =>
        transport.json<Chat>('POST', base + path`/chats/${chatId}/unpublish`, options),
      /** The most recent published settings, newest first. */
      history: (chatId: string, options?: CallOptions) =>
        transport.json<Publication[]>('GET', base + path`/chats/${chatId}/history`, options),
      /** How many chunks of a chat have vectors of its embedding model. */
      embedding: (chatId: string, options?: CallOptions) =>
        transport.json<EmbeddingProgress>('GET', base + path`/chats/${chatId}/embedding`, options),
      /** Deletes the chat with its documents and keys. */
      delete: (chatId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', base + path`/chats/${chatId}`, options),
    },
    prices: {
      /** The built-in price table. */
      listBuiltIn: (query: ListPricesQuery = {}, options?: CallOptions) =>
        transport.json<BuiltInPrice[]>('GET', `${base}/prices`, { query, ...options }),
      /** Prices that the project has set, latest start first. */
      list: (projectId: string, options?: CallOptions) =>
        transport.json<ProjectPrice[]>('GET', base + path`/projects/${projectId}/prices`, options),
      /** Sets a price in USD per 1,000,000 tokens; replaces the price of this model with the same start. */
      set: (projectId: string, price: SetPrice, options?: CallOptions) =>
        transport.json<ProjectPrice>('PUT', base + path`/projects/${projectId}/prices`, {
          body: price,
          ...options,
        }),
      delete: (projectId: string, priceId: string, options?: CallOptions) =>
        transport.json<Deleted>('DELETE', base + path`/projects/${projectId}/prices/${priceId}`, options),
    },
    ...modelCalls(transport),
    ...creditCalls(transport),
    apps: applicationCalls(transport),
    events: eventCalls(transport, '/v1/console/projects'),
    webhooks: webhookCalls(transport),
  }
}

export type ConsoleCalls = ReturnType<typeof consoleCalls>
