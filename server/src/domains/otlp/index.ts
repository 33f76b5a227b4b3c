/*
 * Traces from other tools by OTLP.
 *
 * `wire/` decodes requests and encodes responses, `OtlpService` stores the spans, and the job of the project (`assembly-jobs.ts`)
 * puts traces together from them. `mapping/` turns the spans of a trace into a trace of our own form.
 *
 * - Group commit writes the received spans (`inbox.ts`): one row for each request and trace, a row of `otlp_pending`, and the
 *   job of the project. The response is sent when they are on disk.
 * - The job reads all spans of the traces with pending spans. The last version of a span counts. One transaction writes the
 *   traces, corrects labels and rollups, and deletes the pending rows. It is rolled back if one of these rows is missing, if a
 *   stored trace has another revision, or if a new trace exists. So processes never put the same spans into a trace twice.
 * - The spans stay, because late spans make the trace anew. A deletion of the trace deletes them and leaves a row in
 *   `otlp_traces`, so that later spans of the trace are rejected.
 * - An import (`import.ts`) writes parts of traces in the same rows: spans, and fields and scores of traces that other tools
 *   export (`given.ts`). No scoring rules apply to them.
 */

export { assemblyJobs } from './assembly-jobs.ts'
export type { GivenTrace } from './given.ts'
export { PartImport } from './import.ts'
export { Inbox } from './inbox.ts'
export type { ReceivedPart } from './received.ts'
export { Rejections } from './rejections.ts'
export { otlpRoutes } from './routes.ts'
export { OtlpService } from './service.ts'
export { type Attributes, type OtlpSpan, type SpanEvent, scopeOfImport } from './span.ts'
export { assemblyQueue, createOtlpStore, deleteSpans, otlpDeletion } from './store.ts'
