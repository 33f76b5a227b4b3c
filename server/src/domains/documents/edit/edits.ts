import { CairnError } from '@cairn/contract'
import type { EventService } from '../../events/index.ts'
import { deletedEvent } from '../delete/index.ts'
import { renameFile } from '../filename.ts'
import type { PropertyChanges } from './properties.ts'
import type { EditStore, RemovedChunk } from './store-edits.ts'

function notFound(): CairnError {
  return new CairnError('not_found', 'node not found')
}

/**
 * Changes of single documents and chunks. A change is searchable when its method resolves; a missing document or chunk
 * rejects with `not_found`.
 */
export class EditService {
  readonly #store: EditStore
  readonly #events: EventService

  constructor(store: EditStore, events: EventService) {
    this.#store = store
    this.#events = events
  }

  /** `filename` is sanitized and keeps a supported extension. */
  async updateDocument(
    chatId: string,
    fileId: string,
    { filename, properties }: { filename: string | undefined; properties: PropertyChanges },
  ): Promise<void> {
    const rename =
      filename === undefined ? {} : { rename: (current: string) => renameFile(current, filename) }
    if (!(await this.#store.updateDocument(chatId, fileId, { ...rename, properties }))) throw notFound()
  }

  /** Also changes the text of the document. */
  async updateChunk(
    chatId: string,
    chunkId: string,
    { text, properties }: { text: string | undefined; properties: PropertyChanges },
  ): Promise<void> {
    const edit = { properties, ...(text !== undefined && { text }) }
    if (!(await this.#store.updateChunk(chatId, chunkId, edit))) throw notFound()
  }

  /** Also deletes the chunk's text from the document. Deleting the last chunk deletes the document. */
  async removeChunk(chatId: string, chunkId: string): Promise<RemovedChunk> {
    const removed = await this.#store.removeChunk(chatId, chunkId, (fileId, file) =>
      deletedEvent(chatId, fileId, file),
    )
    if (!removed) throw notFound()
    this.#events.wake()
    return removed
  }
}
