import { parse } from 'csv-parse/sync'
import { ExtractionError } from './errors.ts'
import { decodeText } from './plain-text.ts'
import type { ExtractedDocument } from './types.ts'
import { ValueOutline } from './value-outline.ts'

const delimiters = [',', ';', '\t', '|']
const maxHeaderLength = 300

/**
 * Returns a CSV file unchanged. Chunks begin at records. The column names are the heading of all chunks, so that
 * searches for them also find records far below the header row.
 *
 * @throws ExtractionError
 */
export function extractCsv(bytes: Uint8Array): ExtractedDocument {
  const text = decodeText(bytes)
  const { breaks, header } = readRecords(text)
  return { text, pages: [], headings: header === '' ? [] : [{ start: 0, level: 1, title: header }], breaks }
}

function readRecords(text: string) {
  const encoded = Buffer.from(text)
  const outline = new ValueOutline()
  let header: string | undefined
  let [byte, at] = [0, 0]
  try {
    parse(encoded, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // Only the offset of the next record is kept.
      on_record: (record: string[], { bytes }) => {
        header ??= headerOf(record)
        at += encoded.toString('utf8', byte, bytes).length
        byte = bytes
        outline.addBreak(at, 1)
        return null
      },
    })
  } catch (cause) {
    throw new ExtractionError('malformed', 'The CSV is malformed: a quote is not closed.', { cause })
  }
  return { breaks: outline.breaks, header: header ?? '' }
}

/** The separator that is most frequent in the first line. */
function delimiterOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** The column names, or '' if the first record has an empty or numeric field and is therefore data. */
function headerOf(record: readonly string[]): string {
  const names = record.map((name) => name.trim())
  const isHeader = names.every((name) => name !== '' && !/^[\d\s.,:%€$+-]+$/.test(name))
  return isHeader ? names.join(', ').slice(0, maxHeaderLength) : ''
}
