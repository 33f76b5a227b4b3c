import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tenant } from './fair-queue.ts'

/** The ids of the request that work belongs to. */
export interface RequestIds {
  /** Sent as `X-Request-Id`. */
  id: string
  /** The valid `traceparent` of W3C Trace Context that the caller sent. */
  traceparent: string | undefined
}

interface Work {
  tenant: Tenant
  /** Undefined for work in the background, which serves many requests or outlives its request. */
  request: RequestIds | undefined
}

const storage = new AsyncLocalStorage<Work>()

/** The tenant of the server's own work. */
const server: Tenant = ['']

/** Runs a task for a tenant, outside of requests. This also applies to asynchronous work that the task starts. */
export function runFor<T>(tenant: Tenant, task: () => T): T {
  return storage.run({ tenant, request: undefined }, task)
}

/** Runs a task for a request, whose tenant is not known before `setTenant`. */
export function runForRequest<T>(request: RequestIds, task: () => T): T {
  return storage.run({ tenant: server, request }, task)
}

/** Sets the tenant of the current request. */
export function setTenant(tenant: Tenant): void {
  const work = storage.getStore()
  if (work) work.tenant = tenant
}

/** The tenant of the current work. */
export function currentTenant(): Tenant {
  return storage.getStore()?.tenant ?? server
}

/** The request that the current work belongs to. */
export function currentRequest(): RequestIds | undefined {
  return storage.getStore()?.request
}
