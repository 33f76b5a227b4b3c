export { answerExtractively } from './extractive.ts'
export { rankPassages } from './ranking.ts'
