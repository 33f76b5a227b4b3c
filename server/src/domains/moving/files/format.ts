import { CairnError } from '@cairn/contract'

/** `lines`: JSON Lines. `values`: a JSON list, or objects over several lines. */
export type FileFormat = 'lines' | 'values' | 'csv'

/** Formats that are not read, by the first bytes of their files. */
const others: readonly (readonly [bytes: string, advice: string])[] = [
  ['PAR1', 'Parquet is not read: export JSON Lines, or convert the file'],
  ['PK\u0003\u0004', 'a ZIP archive is not read: unpack it, and import its files'],
]

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The format of a file with this beginning. @throws `invalid_request` for formats that are not read */
export function formatOf(beginning: Buffer): FileFormat {
  const other = others.find(([bytes]) => beginning.subarray(0, bytes.length).toString('latin1') === bytes)
  if (other) throw new CairnError('invalid_request', other[1])
  const text = beginning
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return 'values'
  if (!text.startsWith('{')) return 'csv'
  const end = text.indexOf('\n')
  return end === -1 || isJson(text.slice(0, end)) ? 'lines' : 'values'
}
