import { ExtractionError } from './errors.ts'

/** Much deeper than real files. A deeper file is an attack on its parser. */
export const maxDepth = 500

/** The error for a file that is nested too deeply. */
export function tooDeep(cause?: unknown): ExtractionError {
  return new ExtractionError('malicious', 'The content of the file is nested too deeply.', { cause })
}

/** @throws ExtractionError `malicious` if `depth` exceeds `limit` */
export function refuseDeepNesting(depth: number, limit: number = maxDepth): void {
  if (depth > limit) throw tooDeep()
}
