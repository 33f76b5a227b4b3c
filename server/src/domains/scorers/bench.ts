/** What benchmarks alone use of this domain. */
export { labelledAnswers, measureCorrectness } from './judges/index.ts'
