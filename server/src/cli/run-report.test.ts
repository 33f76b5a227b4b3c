import type { CaseResult, Run } from '@cairn/sdk'
import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.ts'
import { failedCases, progressLine } from './run-report.ts'

const run = (counts: { passed: number; failed: number; total: number }) => counts as Run

function terminal(columns: number) {
  const written: string[] = []
  const output = { isTTY: true, columns, write: (text: string) => written.push(text) > 0 }
  return { written, output: output as unknown as NodeJS.WriteStream }
}

describe('the report of a run', () => {
  it('shows a bar, the counts and the remaining time while the run continues', () => {
    expect(progressLine(run({ passed: 0, failed: 0, total: 8 }), 1)).toBe(
      `[${'.'.repeat(24)}]   0 %  0 of 8 cases, 0 failed`,
    )
    expect(progressLine(run({ passed: 5, failed: 1, total: 8 }), 30)).toBe(
      `[${'#'.repeat(18)}${'.'.repeat(6)}]  75 %  6 of 8 cases, 1 failed, 10s left`,
    )
    expect(progressLine(run({ passed: 1, failed: 0, total: 1 }), 1)).toContain('100 %  1 of 1 case, 0 failed')
  })

  it('redraws the bar on a terminal, within its width', async () => {
    const { written, output } = terminal(40)
    const progress = createProgress(output)
    const line = progressLine(run({ passed: 5, failed: 1, total: 8 }), 30)
    while (written.length === 0) {
      progress.show(() => line)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    progress.end()
    expect(written).toEqual([`\r\u001b[K${line.slice(0, 39)}`, '\r\u001b[K'])
  })

  it('lists at most fifty failed cases, each with the reason', () => {
    const failed = (assertions: object[], rest: object = {}) =>
      ({
        passed: false,
        query: 'q',
        case_id: 'tsc_1',
        error: null,
        judgement: null,
        assertions,
        ...rest,
      }) as CaseResult
    const lines = failedCases([
      ...Array.from({ length: 60 }, () => failed([{ type: 'equals', passed: false, message: 'is not' }])),
      { ...failed([]), passed: true },
    ])
    expect(lines.filter((line) => line === '    equals: is not')).toHaveLength(50)
    expect(lines.at(-1)).toBe('  and 10 more; --junit and --json write all of them')
    expect(failedCases([failed([], { error: 'timed out' })]).at(-1)).toBe('    no answer: timed out')
    const judgement = { scorer: 'correctness', score: 0.2, reasoning: 'other' }
    expect(failedCases([failed([], { judgement })]).at(-1)).toBe('    correctness 0.2: other')
  })
})
