import { isStopWord } from '../../lib/text.ts'

/** Measured on reports: prose has 0.26 to 0.55, forms, tables and lists of references 0 to 0.2, code hardly any. */
const leastShare = 0.22
const word = /\p{L}[\p{L}'’]*|\p{N}+/gu

/** Whether an English text says something in sentences: judged by its share of function words. */
export function isProse(text: string): boolean {
  const words = text.toLowerCase().match(word) ?? []
  return words.filter(isStopWord).length > leastShare * words.length
}
