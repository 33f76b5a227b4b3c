import type { CaseResult, Run } from '@cairn/contract'

/** Escapes a text for XML. Characters that XML does not allow become U+FFFD. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  )
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('')
}

const nameLength = 200

export function junitHead(run: Run, suiteName: string): string {
  const done = run.passed + run.failed
  const counts = {
    name: suiteName,
    tests: done,
    failures: run.failed - run.errors,
    errors: run.errors,
    time: ((run.avg_latency_ms * done) / 1000).toFixed(3),
  }
  const properties = { run_id: run.run_id, suite_id: run.suite_id, status: run.status }
  const suite = { ...counts, timestamp: run.started_at.replace('Z', ''), id: run.run_id }
  const inside = Object.entries(properties).map(
    ([name, value]) => `<property${attributes({ name, value })}/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes(counts)}>
<testsuite${attributes(suite)}>
<properties>${inside.join('')}</properties>
`
}

/** The reasons why a case failed, one line per reason. */
function reasonsOf({ assertions, judgement }: CaseResult): string[] {
  const failed = assertions.filter(({ passed }) => !passed)
  const reasons = failed.map(({ type, message }) => `${type}: ${message ?? 'not met'}`)
  return judgement
    ? [
        `${judgement.scorer}: ${judgement.score ?? 'no score'}, ${judgement.reasoning}${judgement.method === 'local' ? ' (local method)' : ''}`,
      ]
    : reasons
}

export function junitCase(result: CaseResult, suiteName: string): string {
  const { case_id, query, category, latency_ms, passed, error, expected_answer, actual_output } = result
  const name = query.replace(/\s+/g, ' ').trim().slice(0, nameLength)
  const head = attributes({
    name: `${name} (${case_id})`,
    classname: category === null ? suiteName : `${suiteName}.${category}`,
    time: (latency_ms / 1000).toFixed(3),
  })
  if (passed) return `<testcase${head}/>\n`
  if (error !== null) return `<testcase${head}><error${attributes({ message: error })}/></testcase>\n`
  const reasons = reasonsOf(result)
  const text = [...reasons, `expected: ${expected_answer}`, `actual: ${actual_output}`].join('\n')
  const failure = `<failure${attributes({ message: reasons[0] ?? 'failed' })}>${xmlText(text)}</failure>`
  return `<testcase${head}>${failure}</testcase>\n`
}

export const junitTail = '</testsuite>\n</testsuites>\n'
