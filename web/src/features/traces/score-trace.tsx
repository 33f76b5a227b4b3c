import type { Trace } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Field, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatScore } from '../../ui/format.ts'
import { defaultScorer, ScorerField } from '../scorers/index.ts'
import { traceQuery } from './queries.ts'

/** The expected output that the trace carries, in the same places where the server looks for it. */
export function expectedOutputOf({ custom_attributes: attributes, metadata }: Trace): string {
  const value = attributes.expected_output ?? metadata.expected_output
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** The dialog in which a scorer scores one trace. */
export function ScoreTrace({
  projectId,
  trace,
  onClose,
}: {
  projectId: string
  trace: Trace
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [slug, setSlug] = useState(defaultScorer)
  const [expected, setExpected] = useState(expectedOutputOf(trace))
  const scoring = useMutation({
    mutationFn: () =>
      client.scorers.judge(projectId, {
        scorer_slug: slug,
        trace_id: trace.trace_id,
        ...(expected !== '' && { expected_output: expected }),
      }),
    onSuccess: () => queryClient.invalidateQueries(traceQuery(projectId, trace.trace_id)),
  })
  const result = scoring.data
  return (
    <FormDialog
      title="Score this trace"
      description="A scorer reads input and output and gives a score from 0 to 1, which is stored on the trace."
      onClose={onClose}
      sending={scoring}
      failed="The trace was not scored"
      action={result ? 'Score again' : 'Score'}
      busy="Scoring…"
      cancel={result ? 'Done' : 'Cancel'}
    >
      <ScorerField projectId={projectId} value={slug} onChange={setSlug} />
      <Field label="Expected output" hint="The correct answer; some scorers need it.">
        {(ids) => <Textarea {...ids} value={expected} onChange={({ target }) => setExpected(target.value)} />}
      </Field>
      {result && (
        <div role="status" className="flex gap-3 rounded-md border bg-surface p-3">
          <span className="text-xl font-semibold tabular-nums">{formatScore(result.score)}</span>
          <div className="min-w-0">
            <p className="break-words">{result.reasoning}</p>
            <p className="text-sm text-fg-2">
              {result.scorer}, by {result.model ?? 'a local method'}
            </p>
          </div>
        </div>
      )}
    </FormDialog>
  )
}
