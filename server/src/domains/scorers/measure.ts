export { labelledAnswers, measureCorrectness } from '../../models/judges/labelled.ts'
