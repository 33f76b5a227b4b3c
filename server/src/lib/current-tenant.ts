import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tenant } from './fair-queue.ts'

const storage = new AsyncLocalStorage<Tenant>()

/** The tenant of work that the server does for itself. */
const server: Tenant = ['']

/** Whatever the task does, also later, is done for that tenant. */
export function runFor<T>(tenant: Tenant, task: () => T): T {
  return storage.run(tenant, task)
}

/** The tenant for whom the current work is done. */
export function currentTenant(): Tenant {
  return storage.getStore() ?? server
}
