import type { SupportedExtension } from '@cairn/contract'

/** Supported file types, by extension. */
export type Extension = SupportedExtension

/** One page of a paged document: `text.slice(start, end)` is its text; pages count from 1. */
export interface PageRange {
  page: number
  start: number
  end: number
}

/** A heading that starts at the UTF-16 offset `start`; the top `level` is 1, deeper levels are larger. */
export interface Heading {
  start: number
  level: number
  title: string
}

/**
 * A position where a chunk may begin. Chunking adds `cost`, from 0 (best) to 1, to the difference from the target
 * size.
 */
export interface Break {
  at: number
  cost: number
  /** True for a heading: it ends a chunk that has at least a quarter of the target size. */
  isHeading?: boolean
}

/**
 * The text and structure of a file. Offsets are UTF-16 offsets into `text`; `pages` is empty for files without pages.
 */
export interface ExtractedDocument {
  text: string
  pages: PageRange[]
  headings: Heading[]
  /** For files that are not prose, in order. Without it, chunks begin with sentences, paragraphs and headings. */
  breaks?: Break[]
}
