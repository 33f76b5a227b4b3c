import { CairnError } from '@cairn/contract'
import type { Fields } from '../fields.ts'
import type { Found } from '../found.ts'

/** A tool whose exports can be imported. */
export interface Tool {
  /**
   * Adds the spans, fields of traces, and scores of a record.
   * @throws CairnError with the field that is wrong
   */
  read(record: Fields, found: Found): void
}

const shownNames = 8

export function unknownRecord(fields: Fields, wanted: string): never {
  const { names } = fields
  const shown = names.slice(0, shownNames).join(', ')
  const more = names.length > shownNames ? `, … (${names.length} fields)` : ''
  throw new CairnError('invalid_request', `it is no ${wanted}; it has ${shown || 'no fields'}${more}`)
}
