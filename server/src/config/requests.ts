import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** Rates and sizes of requests. */
export const requestVariables = {
  requestsPerSecond: variable({
    name: 'CAIRN_REQUESTS_PER_SECOND',
    doc: 'Requests per second and key over all endpoints, including bursts; 0 disables the limit.',
    isLimit: true,
    fallback: limits.requestsPerSecondPerKey as number,
    parse: integer(0, 1_000_000),
  }),
  wrongAdminTokensPerMinute: variable({
    name: 'CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE',
    doc: 'Requests with a wrong admin token that one address may send in a minute; further ones get 429.',
    isLimit: true,
    fallback: limits.wrongAdminTokensPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  wrongKeysPerMinute: variable({
    name: 'CAIRN_WRONG_KEYS_PER_MINUTE',
    doc: 'Requests with a wrong API key or user token that one address may send in a minute; further ones get 429.',
    isLimit: true,
    fallback: limits.wrongKeysPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  queriesPerMinute: variable({
    name: 'CAIRN_QUERIES_PER_MINUTE',
    doc: 'Questions that one user of an application may ask in a minute.',
    isLimit: true,
    fallback: limits.queriesPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  uploadsPerMinute: variable({
    name: 'CAIRN_UPLOADS_PER_MINUTE',
    doc: 'Uploads that one user of an application may send in a minute.',
    isLimit: true,
    fallback: limits.uploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  bulkUploadsPerMinute: variable({
    name: 'CAIRN_BULK_UPLOADS_PER_MINUTE',
    doc: 'Uploads of several files at once that one user of an application may send in a minute.',
    isLimit: true,
    fallback: limits.bulkUploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  maxJsonBytes: variable({
    name: 'CAIRN_MAX_JSON_BYTES',
    doc: 'Maximum size of a JSON body.',
    isLimit: true,
    fallback: limits.jsonBodyBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  maxJsonDepth: variable({
    name: 'CAIRN_MAX_JSON_DEPTH',
    doc: 'Nesting depth of objects and lists in a JSON body. A deeper body gets 400. In a batch, only the item gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonDepth as number,
    parse: integer(10, 4000),
  }),
  maxJsonFields: variable({
    name: 'CAIRN_MAX_JSON_FIELDS',
    doc: 'Fields that one object of a JSON body may have. A body with more gets 400. In a batch, only the item gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonFields as number,
    parse: integer(100, 10_000_000),
  }),
  maxJsonValues: variable({
    name: 'CAIRN_MAX_JSON_VALUES',
    doc: 'Values that a JSON body may contain (texts, numbers, booleans, nulls, objects and lists); in a batch, the limit applies to each item. A body with more gets 400; an item with more gets an error, and the other items are stored.',
    isLimit: true,
    fallback: limits.jsonValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchValues: variable({
    name: 'CAIRN_MAX_BATCH_VALUES',
    doc: 'Values that the JSON of a whole batch of traces may contain. A batch with more gets 400.',
    isLimit: true,
    fallback: limits.batchValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchLabels: variable({
    name: 'CAIRN_MAX_BATCH_LABELS',
    doc: 'Tags and custom attributes that all traces of one batch may have together. A batch with more gets 400.',
    isLimit: true,
    fallback: limits.batchLabels as number,
    parse: integer(1000, 10_000_000),
  }),
  maxBodyBytesUnderWay: variable({
    name: 'CAIRN_MAX_BODY_BYTES_UNDER_WAY',
    doc: 'Bytes of large request bodies in progress at the same time. One project may use half of them. Above the limit, requests get 503 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
}
