import {
  CairnError,
  type ChatContents,
  type CleanedUp,
  type CleanUpQuery,
  type DeletedNodes,
} from '@cairn/contract'
import type { Deletion } from '../../../jobs/index.ts'
import type { ChatService } from '../../chats/index.ts'
import type { EventService } from '../../events/index.ts'
import { deletedEvent } from './deleted-event.ts'
import type { CleanupStore, Emptied } from './store-cleanup.ts'

function sum(emptied: Iterable<Emptied>): Emptied {
  const total = { documents: 0, chunks: 0, relationships: 0 }
  for (const { documents, chunks, relationships } of emptied) {
    total.documents += documents
    total.chunks += chunks
    total.relationships += relationships
  }
  return total
}

function deletedNodes(message: string, { documents, chunks, relationships }: Emptied): DeletedNodes {
  return {
    status: 'success',
    message,
    nodes_deleted: documents + chunks,
    relationships_deleted: relationships,
  }
}

/** Ids of a comma-separated list; ids that no chat can have are left out. */
function idsOf(list: string | undefined): string[] {
  return (list ?? '').split(',').map((id) => id.trim())
}

/** Whole chats: what they hold, emptying them, and deleting them with their children. */
export class CleanupService {
  readonly #store: CleanupStore
  readonly #events: EventService
  readonly #chats: ChatService

  constructor(store: CleanupStore, events: EventService, chats: ChatService) {
    this.#store = store
    this.#events = events
    this.#chats = chats
  }

  /** The steps of a chat's deletion that are about its documents. */
  deletionSteps(): Deletion['steps'] {
    return [
      this.#store.deleteRelationships,
      async (chatId) => {
        const step = await this.#store.deleteDocuments(chatId, deletedEvent)
        this.#events.wake()
        return step
      },
    ]
  }

  /** What the chat holds, documents oldest first. */
  async inspect(chatId: string): Promise<ChatContents> {
    const rows = await this.#store.documents(chatId)
    return {
      chat_id: chatId,
      search_prefix: chatId,
      documents_found: rows.length,
      total_chunks: rows.reduce((total, { chunk_count }) => total + chunk_count, 0),
      documents: rows.map(({ chat_id, file_id, filename, chunk_count }) => ({
        chatId: chat_id,
        docId: file_id,
        filename,
        chunk_count,
      })),
    }
  }

  /** Takes every document out; the chat stays. */
  async empty(chatId: string): Promise<DeletedNodes> {
    const emptied = await this.#store.empty(chatId, deletedEvent)
    if (!emptied) throw new CairnError('not_found', 'chat not found')
    this.#events.wake()
    return deletedNodes('the chat holds no documents any more', emptied)
  }

  /**
   * Deletes a chat whole, and those that the query names; unknown ones are skipped. The caller may only name `allowed`
   * when that is given.
   */
  async deleteChats(chatId: string, query: CleanUpQuery, allowed?: string | null): Promise<CleanedUp> {
    const children = idsOf(query.child_chat_ids).filter((id) => id !== '' && id !== chatId)
    const alternative = idsOf(query.convex_id).filter((id) => id !== '')
    const named = [...new Set([chatId, ...alternative, ...children])]
    if (allowed != null && named.some((id) => id !== allowed)) {
      throw new CairnError('permission_denied', 'an API key may name no chat but its own here')
    }
    if (await this.#store.hasPrivate(named)) {
      throw new CairnError(
        'permission_denied',
        'a chat that is private to an end user is deleted with the user',
      )
    }
    const held = new Map<string, Emptied>()
    for (const id of named) {
      const contents = await this.#store.held(id)
      if (await this.#chats.startDeletion(id)) held.set(id, contents)
    }
    if (held.size === 0) throw new CairnError('not_found', 'chat not found')
    const total = sum(held.values())
    return {
      ...deletedNodes(held.size === 1 ? 'the chat is deleted' : `${held.size} chats are deleted`, total),
      debug_info: {
        parent_chat_id: chatId,
        child_chat_ids: [...new Set(children)].filter((id) => held.has(id)),
        total_chat_ids_processed: held.size,
        documents_found_before_deletion: total.documents,
      },
    }
  }
}
