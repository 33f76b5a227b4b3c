/** File kinds whose text can be extracted, by file name extension. */
export type Extension = 'pdf' | 'txt' | 'md'

/** One page of a paged document: `text.slice(start, end)` is its text; pages count from 1. */
export interface PageRange {
  page: number
  start: number
  end: number
}

/** A heading that starts at the UTF-16 offset `start`; `level` is 1 (top) to 6. */
export interface Heading {
  start: number
  level: number
  title: string
}

/** What a file says. All offsets are UTF-16 offsets into `text`; `pages` is empty for files without pages. */
export interface ExtractedDocument {
  text: string
  pages: PageRange[]
  headings: Heading[]
}
