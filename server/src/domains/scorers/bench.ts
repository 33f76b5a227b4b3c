/** Functions of this domain that only benchmarks use. */
export { labelledAnswers, measureCorrectness } from './local/index.ts'
