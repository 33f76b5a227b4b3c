import type { Db } from '../src/db/index.ts'
import { createCleanupStore } from '../src/domains/documents/delete/store-cleanup.ts'
import { createDocumentSweeper } from '../src/domains/documents/delete/store-sweep.ts'
import { createEditStore } from '../src/domains/documents/edit/store-edits.ts'
import { createFileStore } from '../src/domains/documents/store-files.ts'
import { createDocumentStore } from '../src/domains/documents/upload/store.ts'

const stores = new WeakMap<Db, ReturnType<typeof createStores>>()

function createStores(db: Db) {
  const sweeper = createDocumentSweeper(db)
  return {
    documents: createDocumentStore(db, sweeper),
    files: createFileStore(db, sweeper),
    edits: createEditStore(db, sweeper),
    cleanup: createCleanupStore(db, sweeper),
  }
}

/** The stores of documents. They share one sweeper per database, as in a server. */
export function documentStores(db: Db): ReturnType<typeof createStores> {
  const known = stores.get(db) ?? createStores(db)
  stores.set(db, known)
  return known
}
