import type { Suite } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { suiteQuery, suitesQuery } from './queries.ts'
import { SuiteFields, suiteDraftOf, suiteOf } from './suite-fields.tsx'

/** Name, tags, target and deletion of a suite. */
export function SuiteSettings({ projectId, suite }: { projectId: string; suite: Suite }) {
  const [draft, setDraft] = useState(() => suiteDraftOf(suite))
  const queryClient = useQueryClient()
  const { suite_id: suiteId } = suite
  const save = useMutation({
    mutationFn: () => client.testing.suites.update(projectId, suiteId, suiteOf(draft)),
    onSuccess: async (saved) => {
      queryClient.setQueryData(suiteQuery(projectId, suiteId).queryKey, saved)
      setDraft(suiteDraftOf(saved))
      await queryClient.invalidateQueries({ queryKey: suitesQuery(projectId).queryKey })
    },
  })
  return (
    <>
      <Section title="Suite" actions={<CopyId id={suiteId} />}>
        <form
          className="flex max-w-xl flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
        >
          <SuiteFields projectId={projectId} draft={draft} onChange={setDraft} />
          {save.error && <ErrorNotice error={save.error} title="The suite was not saved" />}
          <div className="flex items-center gap-3">
            <Button type="submit" variant="primary" busy={save.isPending && 'Saving…'}>
              Save
            </Button>
            <span role="status">{save.isSuccess && <StatusBadge kind="success">Saved</StatusBadge>}</span>
          </div>
        </form>
      </Section>
      <Section title="How a case passes">
        <p className="max-w-prose text-fg-2">
          A case passes if all its assertions pass. A case without assertions passes if the scorer{' '}
          <code>correctness</code> gives the answer at least 0.7, compared with the expected answer.
        </p>
      </Section>
      <DeleteSuite projectId={projectId} suite={suite} />
    </>
  )
}

function DeleteSuite({ projectId, suite }: { projectId: string; suite: Suite }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await client.testing.suites.delete(projectId, suite.suite_id)
    // Removing the query keeps the old list, with the deleted suite, from being shown.
    queryClient.removeQueries({ queryKey: suitesQuery(projectId).queryKey })
    await navigate({ to: '/projects/$projectId/tests', params: { projectId } })
  }
  return (
    <Section title="Delete the suite" note="Deletes its cases and runs. The traces of the runs are kept.">
      <div>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete suite…
        </Button>
      </div>
      <ConfirmDialog
        title="Delete the suite?"
        consequences={`“${suite.name}”, its ${plural(suite.case_count, 'case')} and all its runs are deleted. This cannot be undone.`}
        action="Delete suite"
        name={suite.name}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={remove}
      />
    </Section>
  )
}
