export { CitationGuard } from './citation-guard.ts'
export { toCitation, toCitations } from './citations.ts'
export { countCitedSentences } from './uncited.ts'
