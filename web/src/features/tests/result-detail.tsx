import type { AssertionResult, CaseResult, Judgement } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { Facts } from '../../ui/facts.tsx'
import { formatDuration, formatMoney, formatScore } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { WordDiff } from '../../ui/word-diff.tsx'
import { assertionText } from './assertion-kinds.ts'
import { ResultBadge } from './run-badges.tsx'

/** The result of a case: the answer beside the expected answer, its assertions and its score. */
export function ResultDetail({
  projectId,
  suiteId,
  result,
}: {
  projectId: string
  suiteId: string
  result: CaseResult
}) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <Facts
        facts={[
          { name: 'Result', value: <ResultBadge result={result} /> },
          { name: 'Latency', value: formatDuration(result.latency_ms) },
          { name: 'Cost', value: formatMoney(result.cost) },
          ...(result.judge_cost === null
            ? []
            : [{ name: 'Scoring cost', value: formatMoney(result.judge_cost) }]),
          ...(result.category ? [{ name: 'Category', value: result.category }] : []),
        ]}
      />
      {result.error !== null && (
        <ErrorNotice error={new Error(result.error)} title="The target did not respond" />
      )}
      <Section title="Input">
        <p className="break-words whitespace-pre-wrap">{result.query}</p>
      </Section>
      <Section title="Answer">
        <WordDiff
          before={result.expected_answer}
          after={result.actual_output}
          beforeTitle="Expected"
          afterTitle="Actual"
        />
      </Section>
      {result.assertions.length > 0 && (
        <Section title="Assertions">
          <ul className="flex flex-col border-t">
            {result.assertions.map((assertion, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
              <AssertionLine key={at} assertion={assertion} />
            ))}
          </ul>
        </Section>
      )}
      {result.judgement && <JudgementSection judgement={result.judgement} />}
      <div className="flex flex-wrap gap-x-4">
        {result.trace_id && (
          <Link to={`/projects/${projectId}/traces/${result.trace_id}` as string} className="link">
            Open the trace
          </Link>
        )}
        <Link
          to="/projects/$projectId/tests/$suiteId"
          params={{ projectId, suiteId }}
          search={{ case: result.case_id }}
          className="link"
        >
          Open the case
        </Link>
      </div>
    </div>
  )
}

function AssertionLine({ assertion }: { assertion: AssertionResult }) {
  const { passed, score, message, reasoning, method } = assertion
  return (
    <li className="flex flex-col gap-0.5 border-b py-1.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 break-words">{assertionText(assertion)}</span>
        <span className="flex shrink-0 items-center gap-3">
          {score !== undefined && <span className="tabular-nums">{formatScore(score)}</span>}
          <StatusBadge kind={passed ? 'success' : 'error'}>{passed ? 'Passed' : 'Failed'}</StatusBadge>
        </span>
      </div>
      {message && <p className="break-words text-fg-2">{message}</p>}
      {reasoning && <p className="break-words text-fg-2">{reasoning}</p>}
      {method === 'local' && <p className="text-fg-2">{methodTitle(method)}</p>}
    </li>
  )
}

/** Results that are older than this field have none. */
function methodTitle(method: Judgement['method']): string {
  return method === undefined ? 'Not recorded' : method === 'local' ? 'Local method' : 'Model'
}

function JudgementSection({ judgement }: { judgement: Judgement }) {
  const { scorer, score, threshold, reasoning, method } = judgement
  return (
    <Section title="Scorer">
      <Facts
        facts={[
          { name: 'Scorer', value: <code>{scorer}</code> },
          { name: 'Method', value: methodTitle(method) },
          { name: 'Score', value: formatScore(score) },
          { name: 'Needed', value: formatScore(threshold) },
        ]}
      />
      <p className="break-words whitespace-pre-wrap text-fg-2">{reasoning}</p>
    </Section>
  )
}
