import type { Scoring } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../shared/client.ts'
import { CopyId } from '../../ui/copy-button.tsx'
import { formatCount, formatMoney, formatScore, formatShare } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { QueryState } from '../../ui/states/query-state.tsx'
import { BatchState } from './batch-state.tsx'
import { filterText } from './filter-text.ts'

const failuresShown = 100

/** The panel of a scoring batch: its counts, and the newest failures. */
export function BatchPanel({
  projectId,
  batch,
  onClose,
}: {
  projectId: string
  batch: Scoring
  onClose: () => void
}) {
  const failures = useQuery({
    // A new failure changes the key, so the list is loaded again.
    queryKey: ['batches', projectId, batch.scoring_id, 'failures', batch.failed],
    queryFn: ({ signal }) =>
      client.judging.batches.failures(projectId, batch.scoring_id, { limit: failuresShown }, { signal }),
    enabled: batch.failed > 0,
  })
  const reasons = batch.skipped_reasons
  const failuresTitle =
    batch.failed > failuresShown
      ? `Newest ${failuresShown} traces that could not be scored`
      : 'Traces that could not be scored'
  const facts: [string, string][] = [
    ['Traces', filterText(batch.filter)],
    ['Sample', formatShare(batch.sample_rate)],
    ['Selected traces', formatCount(batch.total)],
    ['Scored', formatCount(batch.done)],
    ['Failed', formatCount(batch.failed)],
    ['Skipped, already scored', formatCount(reasons.already_scored)],
    ['Skipped, no expected output', formatCount(reasons.no_expected_output)],
    ['Skipped, trace deleted', formatCount(reasons.deleted)],
    ['Mean score', formatScore(batch.mean_score)],
    ['Cost', formatMoney(batch.cost)],
  ]
  return (
    <SidePanel label={`Batch of ${batch.scorer}`} onClose={onClose}>
      <div className="flex flex-col gap-5 p-4">
        <BatchState state={batch.state} />
        {batch.error && <p className="break-words text-error">{batch.error}</p>}
        <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1 tabular-nums">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-fg-2">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <CopyId id={batch.scoring_id} className="self-start" />
        {batch.failed > 0 && (
          <Section title={failuresTitle}>
            <QueryState query={{ ...failures, data: failures.data?.failures }} name="the failures" rows={3}>
              {(list) => (
                <ul className="flex flex-col gap-2">
                  {list.map(({ trace_id: traceId, reason }) => (
                    <li key={traceId}>
                      <Link
                        className="link font-mono text-sm"
                        to="/projects/$projectId/traces/$traceId"
                        params={{ projectId, traceId }}
                      >
                        {traceId}
                      </Link>
                      <p className="break-words text-fg-2">{reason}</p>
                    </li>
                  ))}
                </ul>
              )}
            </QueryState>
          </Section>
        )}
      </div>
    </SidePanel>
  )
}
