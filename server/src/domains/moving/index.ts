/*
 * Traces from the exports of other tools: Langfuse, Phoenix, Opik and LangSmith.
 *
 * `files/` splits a file into records: JSON Lines, JSON and CSV. `tools/` reads the records of each tool: spans with
 * attributes that `otlp/mapping` knows, fields of traces, and scores. They are stored like spans that arrive by OTLP, and put
 * together like these: in any order, from several files, and without counting anything twice. The run of the import, with its
 * progress and rejected lines, is that of `traces/import`.
 *
 * - Ids are kept, so the same record again replaces the one before.
 * - A record with a wrong field is rejected with its line. Parts that have no place in a trace are counted by reason.
 */

export { LeftOut, type Scales } from './found.ts'
export { exportTarget } from './target.ts'
export { type ToolName, tools } from './tools/index.ts'
