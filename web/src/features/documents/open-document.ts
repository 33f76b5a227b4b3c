import { textOf } from '../../shared/search-params.ts'

/** The document that is open beside a screen. `at` is the highlighted range of characters in the chunk: `12-80`. */
export interface OpenDocument {
  file?: string | undefined
  chunk?: string | undefined
  at?: string | undefined
}

export function openDocument(search: Record<string, unknown>): OpenDocument {
  return { file: textOf(search.file), chunk: textOf(search.chunk), at: textOf(search.at) }
}
