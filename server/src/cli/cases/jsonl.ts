import { messageOf, type ReadCases } from './read.ts'

/** A case on each line, as the API takes it; blank lines are left out. */
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
      result.bad.push({ place, error: `it is no JSON: ${messageOf(error)}` })
    }
  }
  return result
}
