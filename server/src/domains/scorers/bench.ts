/** Functions of this domain that only benchmarks use. */
export { labelledAnswers, measureCorrectness, scoreLocally, scoreWithFeatures } from './local/index.ts'
