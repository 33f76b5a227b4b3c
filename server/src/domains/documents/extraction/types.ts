import type { SupportedExtension } from '@cairn/contract'

/** File kinds whose text can be extracted, by file name extension. */
export type Extension = SupportedExtension

/** One page of a paged document: `text.slice(start, end)` is its text; pages count from 1. */
export interface PageRange {
  page: number
  start: number
  end: number
}

/** A heading that starts at the UTF-16 offset `start`; `level` is 1 at the top, and larger below it. */
export interface Heading {
  start: number
  level: number
  title: string
}

/** A place where a chunk may well begin; `cost`, from 0 (best) to 1, is weighed against missing the wanted size. */
export interface Break {
  at: number
  cost: number
  /** A heading is here: a chunk of some size ends before it whatever its size. */
  isHeading?: boolean
}

/** What a file says. All offsets are UTF-16 offsets into `text`; `pages` is empty for files without pages. */
export interface ExtractedDocument {
  text: string
  pages: PageRange[]
  headings: Heading[]
  /** For files that are not prose, in order; without it, chunks begin with sentences, paragraphs and headings. */
  breaks?: Break[]
}
