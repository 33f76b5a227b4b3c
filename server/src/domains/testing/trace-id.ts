import { sha256 } from '../../lib/hash.ts'

const tailLength = 11

/** The id of the trace of a case, derived from run and case, so that a repeated case writes no second trace. */
export function traceIdOf(runId: string, caseId: string): string {
  const time = runId.slice('run_'.length, 'run_'.length + 9)
  const number = BigInt(`0x${sha256(`${runId} ${caseId}`).slice(0, 16)}`)
  return `trc_${time}${number.toString(36).padStart(tailLength, '0').slice(-tailLength)}`
}
