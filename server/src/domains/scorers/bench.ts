/** What benchmarks alone use of this domain. */
export { labelledAnswers, measureCorrectness } from './local/index.ts'
