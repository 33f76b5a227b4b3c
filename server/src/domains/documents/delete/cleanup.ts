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
import type { CleanupStore, ContentCounts } from './store-cleanup.ts'

function sum(counts: Iterable<ContentCounts>): ContentCounts {
  const total = { documents: 0, chunks: 0, relationships: 0 }
  for (const { documents, chunks, relationships } of counts) {
    total.documents += documents
    total.chunks += chunks
    total.relationships += relationships
  }
  return total
}

function deletedNodes(message: string, { documents, chunks, relationships }: ContentCounts): DeletedNodes {
  return {
    status: 'success',
    message,
    nodes_deleted: documents + chunks,
    relationships_deleted: relationships,
  }
}

/** Splits a comma-separated list of chat ids. An empty list returns ['']. */
function idsOf(list: string | undefined): string[] {
  return (list ?? '').split(',').map((id) => id.trim())
}

/** Inspects, empties and deletes whole chats. */
export class CleanupService {
  readonly #store: CleanupStore
  readonly #events: EventService
  readonly #chats: ChatService

  constructor(store: CleanupStore, events: EventService, chats: ChatService) {
    this.#store = store
    this.#events = events
    this.#chats = chats
  }

  /** The steps of a chat's deletion that delete its relationships and documents. */
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

  /** Lists the chat's documents, oldest first, with their chunk counts. */
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

  /** Deletes all documents of a chat; the chat stays. */
  async empty(chatId: string): Promise<DeletedNodes> {
    const deleted = await this.#store.empty(chatId, deletedEvent)
    if (!deleted) throw new CairnError('not_found', 'chat not found')
    this.#events.wake()
    return deletedNodes('all documents of the chat are deleted', deleted)
  }

  /**
   * Starts the deletion of a chat and of the chats in the query; unknown chats are skipped.
   *
   * @param allowed the only chat that the caller may delete; without it, the caller may delete every chat
   * @throws CairnError `permission_denied` for another chat than `allowed` or a private chat, `not_found` without any
   *   chat
   */
  async deleteChats(chatId: string, query: CleanUpQuery, allowed?: string | null): Promise<CleanedUp> {
    const children = idsOf(query.child_chat_ids).filter((id) => id !== '' && id !== chatId)
    const alternative = idsOf(query.convex_id).filter((id) => id !== '')
    const named = [...new Set([chatId, ...alternative, ...children])]
    if (allowed != null && named.some((id) => id !== allowed)) {
      throw new CairnError(
        'permission_denied',
        "child_chat_ids and convex_id may only name the API key's own chat",
      )
    }
    if (await this.#store.hasPrivate(named)) {
      throw new CairnError(
        'permission_denied',
        "an end user's private chat cannot be deleted by itself; delete the user",
      )
    }
    const deleted = new Map<string, ContentCounts>()
    for (const id of named) {
      const counts = await this.#store.countContents(id)
      if (await this.#chats.startDeletion(id)) deleted.set(id, counts)
    }
    if (deleted.size === 0) throw new CairnError('not_found', 'chat not found')
    const total = sum(deleted.values())
    return {
      ...deletedNodes(
        deleted.size === 1 ? 'the chat is deleted' : `${deleted.size} chats are deleted`,
        total,
      ),
      debug_info: {
        parent_chat_id: chatId,
        child_chat_ids: [...new Set(children)].filter((id) => deleted.has(id)),
        total_chat_ids_processed: deleted.size,
        documents_found_before_deletion: total.documents,
      },
    }
  }
}
