import { flag, integer, oneOf, seconds } from './parse.ts'
import { type Variable, variable } from './variable.ts'

/** Memory, threads, connections, and what may run at the same time. */
export const capacityVariables = {
  maxQueuedTraces: variable({
    name: 'CAIRN_MAX_QUEUED_TRACES',
    doc: 'Traces that may wait to be written, half of them of one project; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 50_000,
    parse: integer(1, 10_000_000),
  }),
  maxQueuedBytes: variable({
    name: 'CAIRN_MAX_QUEUED_BYTES',
    doc: 'Bytes of traces that may wait to be written, half of them of one project.',
    isLimit: true,
    fallback: 128 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  indexBytes: variable({
    name: 'CAIRN_INDEX_BYTES',
    doc: 'Memory for the search indexes of chats. When it is full, a project that has more than an equal share loses the index that it used least recently.',
    isLimit: true,
    fallback: 512 * 1024 * 1024,
    parse: integer(1024, 1024 ** 4),
  }),
  memoryBytes: variable<number | undefined>({
    name: 'CAIRN_MEMORY_BYTES',
    doc: 'Resident memory of the server past which heavy requests (uploads, exports, searches, graphs, bodies from 1 MB) of a project run one at a time; more get 503 with Retry-After. Light requests go on.',
    isLimit: true,
    fallback: undefined,
    fallbackDoc:
      '384 MiB more than CAIRN_INDEX_BYTES, at most 80 % of the memory of the machine or container',
    parse: integer(1024, 1024 ** 4),
  }),
  readerThreads: variable({
    name: 'CAIRN_READER_THREADS',
    doc: 'Threads that read the embedded database.',
    fallback: 1,
    parse: integer(1, 16),
  }),
  poolSize: variable({
    name: 'CAIRN_POSTGRES_POOL',
    doc: 'Connections to PostgreSQL.',
    fallback: 10,
    parse: integer(2, 1000),
  }),
  maxStreams: variable({
    name: 'CAIRN_MAX_EXPORTS',
    doc: 'Exports that may run at once, of one project half of them; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 8,
    parse: integer(1, 1000),
  }),
  exportSeconds: variable({
    name: 'CAIRN_EXPORT_SECONDS',
    doc: 'Time that an export may take; then it is ended.',
    isLimit: true,
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  stallSeconds: variable({
    name: 'CAIRN_STALL_SECONDS',
    doc: 'Time after which a connection is ended whose client takes less than 64 KB of an answer that waits for it.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, 3600),
  }),
  scanSeconds: variable({
    name: 'CAIRN_SCAN_SECONDS',
    doc: 'Time that filters of a request may take which no index answers, without the time that they wait for their turn; past it the answer is a 400 saying to narrow the period.',
    isLimit: true,
    fallback: 5,
    parse: integer(1, 3600),
  }),
  maxScans: variable({
    name: 'CAIRN_MAX_SCANS',
    doc: 'Filters without an index that are worked on at the same time: threads of low priority on SQLite, connections to PostgreSQL. One project has all but one of them.',
    isLimit: true,
    fallback: 2,
    parse: integer(1, 100),
  }),
  maxWaitingScans: variable({
    name: 'CAIRN_MAX_WAITING_SCANS',
    doc: 'Requests of a project that may wait for their turn with such filters; above it the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 32,
    parse: integer(1, 10_000),
  }),
  sweepSeconds: variable({
    name: 'CAIRN_SWEEP_SECONDS',
    doc: 'Time between two sweeps, which delete traces that are older than their project keeps them.',
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  shutdownSeconds: variable({
    name: 'CAIRN_SHUTDOWN_SECONDS',
    doc: 'Time that requests under way have to finish after SIGTERM.',
    fallback: 25,
    parse: integer(1, 3600),
  }),
  supervisor: variable({
    name: 'CAIRN_SUPERVISOR',
    doc: '`off` runs `cairn serve` without the process that starts the server again when it dies: for service managers and containers, which do so themselves.',
    fallback: 'on' as const,
    parse: oneOf('on', 'off'),
  }) as Variable<'on' | 'off'>,
  webhookRetrySeconds: variable<number[]>({
    name: 'CAIRN_WEBHOOK_RETRY_SECONDS',
    doc: 'Seconds between the tries of a delivery to a webhook, comma-separated; after the last one it has failed. Each is varied by up to a tenth.',
    fallback: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    parse: seconds,
  }),
  allowInsecureIssuers: variable({
    name: 'CAIRN_ALLOW_INSECURE_ISSUERS',
    doc: 'Development only: lets outgoing fetches of user-named addresses reach http and private addresses.',
    fallback: false,
    parse: flag,
  }),
}
