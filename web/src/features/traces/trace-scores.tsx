import type { StoredScore } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatMoney, formatScore } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { Chip } from '../../ui/status-badge.tsx'
import { Ago } from '../../ui/time.tsx'
import { AddScore } from './add-score.tsx'
import { traceQuery } from './queries.ts'
import { sourceOf } from './score-source.ts'

/** The scores of a trace, with a form to add one. */
export function TraceScores({
  projectId,
  traceId,
  scores,
  onSpan,
}: {
  projectId: string
  traceId: string
  scores: readonly StoredScore[]
  /** Opens a span by its id. */
  onSpan: (spanId: string) => void
}) {
  const queryClient = useQueryClient()
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<StoredScore>()
  const remove = useMutation({
    mutationFn: (scoreId: string) => client.scores.delete(projectId, traceId, scoreId),
    onSuccess: () => queryClient.invalidateQueries(traceQuery(projectId, traceId)),
  })
  return (
    <Section
      title="Scores"
      actions={
        !adding && (
          <Button onClick={() => setAdding(true)} variant="ghost">
            Add score
          </Button>
        )
      }
    >
      {adding && <AddScore projectId={projectId} traceId={traceId} onDone={() => setAdding(false)} />}
      {scores.length === 0 && !adding && (
        <p className="text-fg-2">
          No scores yet. Add one here, or let a scorer score the trace with “Score”.
        </p>
      )}
      <ul className="flex flex-col">
        {scores.map((score) => (
          <li key={score.score_id} className="flex items-start gap-3 border-t py-1.5 first:border-t-0">
            <span className="w-10 shrink-0 text-right font-semibold tabular-nums">
              {formatScore(score.value)}
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{score.name}</span>
                {score.span_id !== undefined && (
                  <button type="button" className="link" onClick={() => onSpan(score.span_id ?? '')}>
                    of a span
                  </button>
                )}
                {sourceOf(score) && <Chip title={sourceOf(score)}>{sourceOf(score)}</Chip>}
                <span className="text-sm text-fg-2">
                  <Ago at={score.created_at} />
                  {score.cost !== undefined && `, ${formatMoney(score.cost)}`}
                </span>
              </p>
              {score.comment && <p className="break-words whitespace-pre-wrap text-fg-2">{score.comment}</p>}
            </div>
            <IconButton label={`Delete the score ${score.name}`} onClick={() => setDeleting(score)}>
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {deleting && (
        <ConfirmDialog
          title="Delete this score?"
          consequences={`The score ${deleting.name} of ${formatScore(deleting.value)} is deleted. This cannot be undone.`}
          action="Delete score"
          open
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove.mutateAsync(deleting.score_id)}
        />
      )}
    </Section>
  )
}
