export { labelledAnswers, measureCorrectness } from './judges/index.ts'
