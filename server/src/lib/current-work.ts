import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tenant } from './fair-queue.ts'

const storage = new AsyncLocalStorage<Tenant>()

/** The tenant of the server's own work. */
const server: Tenant = ['']

/** Runs a task for a tenant. The tenant also applies to asynchronous work that the task starts. */
export function runFor<T>(tenant: Tenant, task: () => T): T {
  return storage.run(tenant, task)
}

/** The tenant of the current work. */
export function currentTenant(): Tenant {
  return storage.getStore() ?? server
}
