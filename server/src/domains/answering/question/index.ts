export { searchWords } from './follow-up.ts'
export { misspeltFilters, refuseMisspeltFilters } from './misspelt-filters.ts'
export { namesMatcher, withNamed } from './names.ts'
export { kindFit, phrasesIn, type Question, readQuestion } from './question.ts'
