import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** How many requests may come, and how large they may be. */
export const requestVariables = {
  requestsPerSecond: variable({
    name: 'CAIRN_REQUESTS_PER_SECOND',
    doc: 'Requests per second and key over all endpoints, burst included; 0 switches the limit off.',
    isLimit: true,
    fallback: limits.requestsPerSecondPerKey as number,
    parse: integer(0, 1_000_000),
  }),
  wrongAdminTokensPerMinute: variable({
    name: 'CAIRN_WRONG_ADMIN_TOKENS_PER_MINUTE',
    doc: 'Wrong admin tokens from one address in a minute before it gets 429.',
    isLimit: true,
    fallback: limits.wrongAdminTokensPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  wrongKeysPerMinute: variable({
    name: 'CAIRN_WRONG_KEYS_PER_MINUTE',
    doc: 'Wrong API keys and user tokens from one address in a minute before it gets 429.',
    isLimit: true,
    fallback: limits.wrongKeysPerMinute as number,
    parse: integer(1, 1_000_000),
  }),
  queriesPerMinute: variable({
    name: 'CAIRN_QUERIES_PER_MINUTE',
    doc: "Questions of an application's user in a minute.",
    isLimit: true,
    fallback: limits.queriesPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  uploadsPerMinute: variable({
    name: 'CAIRN_UPLOADS_PER_MINUTE',
    doc: "Uploads of an application's user in a minute.",
    isLimit: true,
    fallback: limits.uploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  bulkUploadsPerMinute: variable({
    name: 'CAIRN_BULK_UPLOADS_PER_MINUTE',
    doc: "Uploads of several files at once of an application's user in a minute.",
    isLimit: true,
    fallback: limits.bulkUploadsPerMinutePerUser as number,
    parse: integer(1, 1_000_000),
  }),
  maxJsonBytes: variable({
    name: 'CAIRN_MAX_JSON_BYTES',
    doc: 'Largest JSON body.',
    isLimit: true,
    fallback: limits.jsonBodyBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  maxJsonDepth: variable({
    name: 'CAIRN_MAX_JSON_DEPTH',
    doc: 'Objects and lists of a JSON body that may be inside of one another. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonDepth as number,
    parse: integer(10, 4000),
  }),
  maxJsonFields: variable({
    name: 'CAIRN_MAX_JSON_FIELDS',
    doc: 'Fields that one object of a JSON body may have. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonFields as number,
    parse: integer(100, 10_000_000),
  }),
  maxJsonValues: variable({
    name: 'CAIRN_MAX_JSON_VALUES',
    doc: 'Values that a JSON body may have (texts, numbers, booleans, nulls, objects and lists); of a batch each of its items. Past it the answer is 400; a batch item gets an error, and the others are stored.',
    isLimit: true,
    fallback: limits.jsonValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchValues: variable({
    name: 'CAIRN_MAX_BATCH_VALUES',
    doc: 'Values that the JSON of a whole batch of traces may have; past it the answer is 400.',
    isLimit: true,
    fallback: limits.batchValues as number,
    parse: integer(1000, 100_000_000),
  }),
  maxBatchLabels: variable({
    name: 'CAIRN_MAX_BATCH_LABELS',
    doc: 'Tags and custom attributes that the traces of one batch may have together; past it the answer is 400.',
    isLimit: true,
    fallback: limits.batchLabels as number,
    parse: integer(1000, 10_000_000),
  }),
  maxBodyBytesUnderWay: variable({
    name: 'CAIRN_MAX_BODY_BYTES_UNDER_WAY',
    doc: 'Bytes of large request bodies that may be under way at the same time, half of it for one project; above it the answer is 503 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
}
