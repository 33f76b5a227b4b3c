export { splitSentences } from './text/sentences.ts'
export { isStopWord, stem, tokenize } from './text/tokens.ts'
