export { answerExtractively, nothingFound } from './extractive.ts'
export { rankPassages } from './ranking.ts'
