export { type Range, splitSentences } from './text/sentences.ts'
export { isStopWord, stem, tokenize } from './text/tokens.ts'
