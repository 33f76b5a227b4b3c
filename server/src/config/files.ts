import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** Files, and the extraction of their text. */
export const fileVariables = {
  maxFileBytes: variable({
    name: 'CAIRN_MAX_FILE_BYTES',
    doc: 'Maximum size of an uploaded file.',
    isLimit: true,
    fallback: limits.fileBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  processingSeconds: variable({
    name: 'CAIRN_PROCESSING_SECONDS',
    doc: 'Time limit for processing a file.',
    isLimit: true,
    fallback: limits.processingMs / 1000,
    parse: integer(1, 3600),
  }),
  extractions: variable({
    name: 'CAIRN_EXTRACTIONS',
    doc: 'Files that are extracted at the same time, each in its own process. A third of the places, and at least one, is for files that take long.',
    isLimit: true,
    fallback: 3,
    parse: integer(2, 64),
  }),
  extractionBytes: variable({
    name: 'CAIRN_EXTRACTION_BYTES',
    doc: 'Memory limit of a process that extracts a file. A file that needs more is rejected.',
    isLimit: true,
    fallback: 256 * 1024 * 1024,
    parse: integer(96 * 1024 ** 2, 16 * 1024 ** 3),
  }),
  maxTextBytes: variable({
    name: 'CAIRN_MAX_TEXT_BYTES',
    doc: 'Maximum size of the text that is extracted from a file, in UTF-8.',
    isLimit: true,
    fallback: 8 * 1024 * 1024,
    parse: integer(1024, 1024 ** 3),
  }),
  maxWaitingFiles: variable({
    name: 'CAIRN_MAX_WAITING_FILES',
    doc: 'Files of a project, or of one of its end users, that may wait for extraction. Above the limit, uploads get 429 with Retry-After. All end users of a project together may have four times as many.',
    isLimit: true,
    fallback: 200,
    parse: integer(1, 10_000),
  }),
  maxWaitingFileBytes: variable({
    name: 'CAIRN_MAX_WAITING_FILE_BYTES',
    doc: 'Bytes of the files of a project that may wait or be extracted at the same time. Above the limit, uploads get 429 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
}
