import { limits } from '@cairn/contract'
import { integer } from './parse.ts'
import { variable } from './variable.ts'

/** Files, and the text taken out of them. */
export const fileVariables = {
  maxFileBytes: variable({
    name: 'CAIRN_MAX_FILE_BYTES',
    doc: 'Largest uploaded file.',
    isLimit: true,
    fallback: limits.fileBytes as number,
    parse: integer(1024, 1024 ** 3),
  }),
  processingSeconds: variable({
    name: 'CAIRN_PROCESSING_SECONDS',
    doc: 'Time after which the processing of a file is stopped.',
    isLimit: true,
    fallback: limits.processingMs / 1000,
    parse: integer(1, 3600),
  }),
  extractions: variable({
    name: 'CAIRN_EXTRACTIONS',
    doc: 'Files that are read at the same time, each by a process of its own. A third of the places, and at least one, is for files that take longer than two seconds.',
    isLimit: true,
    fallback: 3,
    parse: integer(2, 64),
  }),
  extractionBytes: variable({
    name: 'CAIRN_EXTRACTION_BYTES',
    doc: 'Memory of a process that reads a file; a file that takes more is refused.',
    isLimit: true,
    fallback: 256 * 1024 * 1024,
    parse: integer(96 * 1024 ** 2, 16 * 1024 ** 3),
  }),
  maxTextBytes: variable({
    name: 'CAIRN_MAX_TEXT_BYTES',
    doc: 'Most text, in UTF-8, that is taken out of a file.',
    isLimit: true,
    fallback: 8 * 1024 * 1024,
    parse: integer(1024, 1024 ** 3),
  }),
  maxWaitingFiles: variable({
    name: 'CAIRN_MAX_WAITING_FILES',
    doc: 'Files of a project, or of one of its end users, that may wait to be read; above it the answer is 429 with Retry-After. All users of a project together may have four times as many.',
    isLimit: true,
    fallback: 200,
    parse: integer(1, 10_000),
  }),
  maxWaitingFileBytes: variable({
    name: 'CAIRN_MAX_WAITING_FILE_BYTES',
    doc: 'Bytes of the files of a project that may wait or be read at the same time; above it the answer is 429 with Retry-After.',
    isLimit: true,
    fallback: 64 * 1024 * 1024,
    parse: integer(1024, 16 * 1024 ** 3),
  }),
}
