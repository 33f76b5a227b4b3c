/*
 * The log of console changes. `http/audit.ts` writes an entry before the handler of a change runs, and adds the outcome
 * before the response is sent. It covers every route that accepts only the admin token, except GET.
 */

export { auditRoutes } from './routes.ts'
export { AuditService } from './service.ts'
export { createAuditStore } from './store.ts'
