export { CsvReader, isWholeCsv, splitCsv } from './csv.ts'
export { formatOf } from './format.ts'
export { splitJsonValues } from './json-values.ts'
