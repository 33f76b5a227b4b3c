import { CairnError, limits } from '@cairn/contract'
import { type PartImport, type ReceivedPart, Rejections } from '../otlp/index.ts'
import {
  checkBytes,
  type ImportTarget,
  isObject as isWholeObject,
  parseRecord,
  type RawRecord,
  splitLines,
} from '../traces/index.ts'
import { Fields, isDeeper, isObject } from './fields.ts'
import { CsvReader, formatOf, isWholeCsv, splitCsv, splitJsonValues } from './files/index.ts'
import { Found, LeftOut, type Scales } from './found.ts'
import { type ToolName, tools } from './tools/index.ts'

interface Options {
  projectId: string
  tool: ToolName
  scales: Scales
  /** Counts parts that cannot be imported. */
  leftOut: LeftOut
  parts: PartImport
  /** The first bytes of the file. */
  beginning: Buffer
  maxRecordBytes: number
}

type Reader = Pick<ImportTarget<unknown>, 'split' | 'isWhole'> & {
  /** Undefined for a record that has no data. */
  read(record: RawRecord): unknown
}

function readerOf(beginning: Buffer, maxBytes: number): Reader {
  const format = formatOf(beginning)
  if (format !== 'csv') {
    const split = format === 'lines' ? splitLines : splitJsonValues
    return {
      split: (chunks) => split(chunks, maxBytes),
      isWhole: isWholeObject,
      read: (record) => parseRecord(record, maxBytes),
    }
  }
  const csv = new CsvReader(beginning)
  return {
    split: (chunks) => splitCsv(chunks, maxBytes),
    isWhole: isWholeCsv,
    read(record) {
      checkBytes(record, maxBytes)
      return csv.read(record)
    },
  }
}

/** An export of another tool. @throws `invalid_request` for a format that is not read */
export function exportTarget({
  projectId,
  tool,
  scales,
  leftOut,
  parts,
  ...file
}: Options): ImportTarget<ReceivedPart[]> {
  const reader = readerOf(file.beginning, file.maxRecordBytes)
  return {
    split: reader.split,
    isWhole: reader.isWhole,
    read(record) {
      const value = reader.read(record)
      if (value === undefined) return undefined
      if (!isObject(value)) throw new CairnError('invalid_request', 'it is no JSON object')
      if (isDeeper(value, limits.jsonDepth)) {
        throw new CairnError('invalid_request', `it nests deeper than ${limits.jsonDepth} levels`)
      }
      const ofRecord = new LeftOut()
      const found = new Found(tool, scales, ofRecord)
      tools[tool].read(new Fields(value), found)
      leftOut.take(ofRecord)
      return found.parts
    },
    async write(rows, progress) {
      const rejections = new Rejections()
      const outcome = await parts.write(projectId, rows.flat(), progress, rejections)
      if (rejections.reason !== undefined) leftOut.add(rejections.reason, rejections.count)
      return outcome
    },
  }
}
