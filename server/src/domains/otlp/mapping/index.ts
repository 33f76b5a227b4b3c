/*
 * Makes a trace of our API from the spans of OTLP, without I/O. `table.ts` and `kinds.ts` list the attributes of each field
 * for all dialects.
 *
 * - An attribute that a field shows as a whole is left out of the span's attributes. All others stay, exactly.
 * - Messages get the form of chat APIs (`messages.ts`), which the dashboard, previews and scorers read.
 * - Spans are hostile input: mapping never throws, and large indexes, deep nesting and cycles of parents cost nothing extra.
 * - A trace can have 50 MB, so mapping is a generator that yields between spans.
 */

export { toTraceInSteps } from './trace.ts'
