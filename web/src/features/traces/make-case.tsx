import { lastAsked, lastSaid } from '@cairn/contract/conversations'
import type { Trace } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { suiteNamesQuery, testsKey } from '../../shared/queries/suites.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { expectedOutputOf } from './score-trace.tsx'

const newSuite = ''

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
  const suites = useQuery(suiteNamesQuery(projectId))
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const [query, setQuery] = useState(lastAsked(trace.input))
  const [expected, setExpected] = useState(expectedOutputOf(trace) || lastSaid(trace.output))
  const suiteId = chosen ?? suites.data?.[0]?.suite_id ?? newSuite
  const make = useMutation({
    mutationFn: async () => {
      const into = suiteId || (await client.testing.suites.create(projectId, { name: name.trim() })).suite_id
      setChosen(into)
      return client.testing.cases.create(projectId, into, {
        query,
        expected_answer: expected,
        trace_id: trace.trace_id,
      })
    },
    // The suite may have been created even if the case was rejected.
    onSettled: () => queryClient.invalidateQueries({ queryKey: testsKey(projectId) }),
  })
  const suiteName = suites.data?.find(({ suite_id }) => suite_id === suiteId)?.name ?? name
  if (make.isSuccess) {
    return (
      <Dialog title="Create a test case" open onClose={onClose}>
        <p role="status">
          <StatusBadge kind="success">The case is in the suite “{suiteName}”.</StatusBadge>
        </p>
        <DialogActions>
          <Link
            to="/projects/$projectId/tests/$suiteId"
            params={{ projectId, suiteId }}
            search={{ case: make.data.case_id }}
            className="link self-center"
          >
            Open the case
          </Link>
          <Button onClick={onClose} variant="primary">
            Done
          </Button>
        </DialogActions>
      </Dialog>
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
      disabled={suites.isPending || (suiteId === newSuite && name.trim() === '')}
    >
      {suites.error && (
        <ErrorNotice error={suites.error} title="The suites could not be loaded" retry={suites.refetch} />
      )}
      <div className="flex flex-wrap gap-3">
        <Field label="Suite" className="min-w-48 flex-1">
          {(ids) => (
            <Select {...ids} value={suiteId} onChange={({ target }) => setChosen(target.value)}>
              {suites.data?.map(({ suite_id: id, name: title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
              <option value={newSuite}>New suite…</option>
            </Select>
          )}
        </Field>
        {suiteId === newSuite && (
          <Field label="Name of the new suite" className="min-w-48 flex-1">
            {(ids) => (
              <Input
                {...ids}
                required
                maxLength={200}
                value={name}
                placeholder="Regressions"
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        )}
      </div>
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
