export { labelledAnswers, measureCorrectness } from './judges/labelled.ts'
