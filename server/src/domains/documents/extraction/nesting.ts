import { ExtractionError } from './errors.ts'

/** Far more than in files that people or programs write for use; what is deeper is made to break its reader. */
export const deepest = 500

/** What is said of a file that is nested deeper than any real one. */
export function tooDeep(cause?: unknown): ExtractionError {
  return new ExtractionError('malicious', 'The content of the file is nested too deeply.', { cause })
}

/** @throws ExtractionError `malicious` when values or elements are nested deeper than in any real file */
export function refuseDeepNesting(depth: number, limit: number = deepest): void {
  if (depth > limit) throw tooDeep()
}
