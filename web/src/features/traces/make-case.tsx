import { lastAsked, lastSaid } from '@cairn/contract/conversations'
import type { Trace } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { testsKey } from '../../shared/queries/suites.ts'
import { DoneDialog } from '../../ui/done-dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { expectedOutputOf } from './score-trace.tsx'
import { SuiteFields, useSuiteChoice } from './suite-fields.tsx'

/** The dialog that creates a test case from a trace: its input, and its output as the expected answer. */
export function MakeCase({
  projectId,
  trace,
  onClose,
}: {
  projectId: string
  trace: Trace
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const choice = useSuiteChoice(projectId)
  const [query, setQuery] = useState(lastAsked(trace.input))
  const [expected, setExpected] = useState(expectedOutputOf(trace) || lastSaid(trace.output))
  const make = useMutation({
    mutationFn: async () =>
      client.testing.cases.create(projectId, await choice.suite(), {
        query,
        expected_answer: expected,
        trace_id: trace.trace_id,
      }),
    // The suite may have been created even if the case was rejected.
    onSettled: () => queryClient.invalidateQueries({ queryKey: testsKey(projectId) }),
  })
  if (make.isSuccess) {
    return (
      <DoneDialog
        title="Create a test case"
        status={`The case is in the suite “${choice.name}”.`}
        link={
          <Link
            to="/projects/$projectId/tests/$suiteId"
            params={{ projectId, suiteId: make.data.suite_id }}
            search={{ case: make.data.case_id }}
            className="link self-center"
          >
            Open the case
          </Link>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Create a test case"
      description="The next runs of the suite ask this query again and compare the answer with the expected answer."
      onClose={onClose}
      wide
      sending={make}
      failed="The case was not created"
      action="Create case"
      busy="Creating…"
      disabled={!choice.isComplete}
    >
      <SuiteFields choice={choice} />
      <Field label="Query">
        {(ids) => (
          <Textarea
            {...ids}
            rows={4}
            required
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
      </Field>
      <Field label="Expected answer" hint="The correct answer. Edit the output if it was wrong.">
        {(ids) => (
          <Textarea {...ids} rows={6} value={expected} onChange={({ target }) => setExpected(target.value)} />
        )}
      </Field>
    </FormDialog>
  )
}
