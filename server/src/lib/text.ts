export { detectLanguage, type Language } from './text/languages.ts'
export { areRecords, recordCells } from './text/records.ts'
export { splitSentences } from './text/sentences.ts'
export { isPair, isStopWord, stem, tokenize } from './text/tokens.ts'
