import { flag, integer, oneOf, seconds } from './parse.ts'
import { type Variable, variable } from './variable.ts'

/** Memory, threads and connections; limits of concurrent work. */
export const capacityVariables = {
  maxQueuedTraces: variable({
    name: 'CAIRN_MAX_QUEUED_TRACES',
    doc: 'Traces that may wait to be written. One project may use half of the queue. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 50_000,
    parse: integer(1, 10_000_000),
  }),
  maxQueuedBytes: variable({
    name: 'CAIRN_MAX_QUEUED_BYTES',
    doc: 'Bytes of traces that may wait to be written. One project may use half of them.',
    isLimit: true,
    fallback: 128 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
  indexBytes: variable({
    name: 'CAIRN_INDEX_BYTES',
    doc: 'Memory for the search indexes of chats. When it is full, a project with more than an equal share loses its least recently used index.',
    isLimit: true,
    fallback: 512 * 1024 * 1024,
    parse: integer(1024, 1024 ** 4),
  }),
  memoryBytes: variable<number | undefined>({
    name: 'CAIRN_MEMORY_BYTES',
    doc: 'Above this resident memory of the server, heavy requests (uploads, exports, searches, graphs, bodies from 1 MB) of a project run one at a time, and further ones get 503 with Retry-After. Light requests continue.',
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
  maxExports: variable({
    name: 'CAIRN_MAX_EXPORTS',
    doc: 'Exports that may run at the same time. One project may use half of them. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 8,
    parse: integer(1, 1000),
  }),
  exportSeconds: variable({
    name: 'CAIRN_EXPORT_SECONDS',
    doc: 'Time limit of an export.',
    isLimit: true,
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  stallSeconds: variable({
    name: 'CAIRN_STALL_SECONDS',
    doc: 'Time in which a client must read at least 64 KB of a waiting response. Otherwise the server closes the connection.',
    isLimit: true,
    fallback: 60,
    parse: integer(1, 3600),
  }),
  scanSeconds: variable({
    name: 'CAIRN_SCAN_SECONDS',
    doc: 'Time limit for filters without an index, in one request. Waiting for a turn does not count. Above the limit, the request gets 400 with the advice to narrow the period.',
    isLimit: true,
    fallback: 5,
    parse: integer(1, 3600),
  }),
  maxScans: variable({
    name: 'CAIRN_MAX_SCANS',
    doc: 'Scans (filters without an index) that run at the same time: threads of low priority on SQLite, connections on PostgreSQL. One project may use all but one of them, and at least one.',
    isLimit: true,
    fallback: 2,
    parse: integer(1, 100),
  }),
  maxWaitingScans: variable({
    name: 'CAIRN_MAX_WAITING_SCANS',
    doc: 'Requests of a project that may wait for a scan. Above the limit, requests get 429 with Retry-After.',
    isLimit: true,
    fallback: 32,
    parse: integer(1, 10_000),
  }),
  sweepSeconds: variable({
    name: 'CAIRN_SWEEP_SECONDS',
    doc: 'Time between two sweeps. A sweep deletes traces that are older than the retention period of their project.',
    fallback: 3600,
    parse: integer(1, 86_400),
  }),
  shutdownSeconds: variable({
    name: 'CAIRN_SHUTDOWN_SECONDS',
    doc: 'Time that running requests have to finish after SIGTERM.',
    fallback: 25,
    parse: integer(1, 3600),
  }),
  supervisor: variable({
    name: 'CAIRN_SUPERVISOR',
    doc: '`off` runs `cairn serve` without the supervisor process, which restarts the server after a crash. Use it with service managers and containers, which restart processes themselves.',
    fallback: 'on' as const,
    parse: oneOf('on', 'off'),
  }) as Variable<'on' | 'off'>,
  webhookRetrySeconds: variable<number[]>({
    name: 'CAIRN_WEBHOOK_RETRY_SECONDS',
    doc: 'Seconds between the tries of a webhook delivery, comma-separated. After the last try, the delivery has failed. Each wait varies by up to a tenth.',
    fallback: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
    parse: seconds,
  }),
  allowInsecureIssuers: variable({
    name: 'CAIRN_ALLOW_INSECURE_ISSUERS',
    doc: 'Development only: lets the server call http and private addresses that users configure.',
    fallback: false,
    parse: flag,
  }),
}
