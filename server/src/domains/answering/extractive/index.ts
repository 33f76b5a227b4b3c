export { answerExtractively, nothingFound } from './extractive.ts'
export { type Candidate, rankPassages } from './ranking.ts'
