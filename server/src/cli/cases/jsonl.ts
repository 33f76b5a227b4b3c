import { messageOf, type ReadCases } from './read.ts'

/** Reads a case from each line, in the format of the API; skips blank lines. */
export function readJsonl(text: string): ReadCases {
  const result: ReadCases = { cases: [], bad: [], notes: [] }
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const place = `line ${at + 1}`
    try {
      result.cases.push({ place, value: JSON.parse(line) })
    } catch (error) {
      result.bad.push({ place, error: `it is not valid JSON: ${messageOf(error)}` })
    }
  }
  return result
}
