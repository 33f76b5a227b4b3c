import { recordCells } from '../../../lib/text.ts'

/** The column heads of a table that begins in an earlier chunk, from the headings of the chunk; or ''. */
export function tableHeads(headings: readonly string[], firstLine: string): string {
  const last = headings.at(-1) ?? ''
  const names = last.split(', ')
  const record = recordCells(firstLine)
  const isOfRecords = names.length > 1 && record?.length === names.length && record.join(', ') !== last
  const text = isOfRecords ? names.join(' | ') : last
  return text.includes(' | ') ? text : ''
}

/** The title above a table; '' for the first line of a column head of several lines ("Property, Plant and"). */
export function titleOfTable(title: string): string {
  return /(?:[,&–-]|\b(?:and|or|of|the|in|und|et|y|de))$/i.test(title) ? '' : title
}
