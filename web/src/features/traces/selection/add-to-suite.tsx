import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../shared/client.ts'
import { testsKey } from '../../../shared/queries/suites.ts'
import { DoneDialog } from '../../../ui/done-dialog.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { plural } from '../../../ui/format.ts'
import { Progress } from '../../../ui/progress.tsx'
import { SuiteFields, useSuiteChoice } from '../suite-fields.tsx'

/** The dialog that makes a test case of each selected trace. */
export function AddToSuite({
  projectId,
  traceIds,
  onClose,
}: {
  projectId: string
  traceIds: readonly string[]
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const choice = useSuiteChoice(projectId)
  // After a failure, the next try continues with the remaining traces.
  const [done, setDone] = useState(0)
  const adding = useMutation({
    mutationFn: async () => {
      const suiteId = await choice.suite()
      for (let at = done; at < traceIds.length; at++) {
        await client.testing.cases.create(projectId, suiteId, { trace_id: traceIds[at] ?? '' })
        setDone(at + 1)
      }
      return suiteId
    },
    // The suite and some cases may have been created even if a later case was rejected.
    onSettled: () => queryClient.invalidateQueries({ queryKey: testsKey(projectId) }),
  })
  if (adding.isSuccess) {
    return (
      <DoneDialog
        title="Add to a suite"
        status={`${plural(traceIds.length, 'case')} added to the suite “${choice.name}”.`}
        link={
          <Link
            to="/projects/$projectId/tests/$suiteId"
            params={{ projectId, suiteId: adding.data }}
            className="link self-center"
          >
            Open the suite
          </Link>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={`Add ${plural(traceIds.length, 'trace')} to a suite`}
      description="Each trace becomes a test case: its input is the query, and its output the expected answer."
      onClose={onClose}
      sending={adding}
      failed={
        done === 0 ? 'No case was added' : `Only ${done} of ${plural(traceIds.length, 'case')} were added`
      }
      action={done === 0 ? `Add ${plural(traceIds.length, 'case')}` : 'Add the rest'}
      busy={`Adding, ${done} of ${traceIds.length}`}
      disabled={!choice.isComplete}
    >
      <SuiteFields choice={choice} />
      {adding.isPending && <Progress label="Cases" done={done} total={traceIds.length} />}
    </FormDialog>
  )
}
