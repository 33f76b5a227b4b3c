import { isStopWord } from '../../lib/text.ts'

/** Measured on reports: prose has 0.26 to 0.55, forms, tables and lists of references have 0 to 0.2, code almost 0. */
const minStopWordFraction = 0.22
const word = /\p{L}[\p{L}'’]*|\p{N}+/gu

/** Whether an English text consists of sentences, by its fraction of stop words. */
export function isProse(text: string): boolean {
  const words = text.toLowerCase().match(word) ?? []
  return words.filter(isStopWord).length > minStopWordFraction * words.length
}
