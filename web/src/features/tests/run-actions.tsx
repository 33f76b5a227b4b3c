import type { Run } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { testsKey } from '../../shared/queries/suites.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { download } from '../../ui/download.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { runQuery } from './queries.ts'
import { runTitle } from './run-badges.tsx'

const { runs } = client.testing

/** The actions on a run. */
export function RunActions({ projectId, run }: { projectId: string; run: Run }) {
  const [open, setOpen] = useState<'cancel' | 'edit' | 'delete'>()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { run_id: runId } = run
  const close = () => setOpen(undefined)
  const again = () => queryClient.invalidateQueries({ queryKey: testsKey(projectId) })
  const junit = useMutation({
    mutationFn: async () => download(await runs.junit(projectId, runId), `${runId}.xml`, 'application/xml'),
  })
  return (
    <>
      {run.status === 'running' && <Button onClick={() => setOpen('cancel')}>Cancel run…</Button>}
      <CompareLink projectId={projectId} run={run} />
      <Menu
        trigger={
          <IconButton label="More about this run" variant="default">
            <Ellipsis size={14} />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen('edit')}>Name and notes…</MenuItem>
        <MenuItem onSelect={() => navigate({ href: `/projects/${projectId}/traces?attr.run_id=${runId}` })}>
          Traces of this run
        </MenuItem>
        <MenuItem onSelect={() => junit.mutate()}>Download as JUnit XML</MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setOpen('delete')}>
          Delete run…
        </MenuItem>
      </Menu>
      {junit.error && <ErrorNotice error={junit.error} title="The results could not be loaded" />}
      <ConfirmDialog
        title="Cancel the run?"
        consequences={`This skips ${plural(run.total - run.passed - run.failed, 'remaining case')} and keeps the results so far. Running calls are aborted, but a provider may still charge for them.`}
        action="Cancel run"
        open={open === 'cancel'}
        onClose={close}
        onConfirm={async () => {
          await runs.cancel(projectId, runId)
          await again()
        }}
      />
      <ConfirmDialog
        title="Delete the run?"
        consequences={`“${runTitle(run)}” and its ${plural(run.passed + run.failed, 'result')} are deleted. Its traces are kept.`}
        action="Delete run"
        open={open === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await runs.delete(projectId, runId)
          await navigate({
            to: '/projects/$projectId/tests/$suiteId',
            params: { projectId, suiteId: run.suite_id },
            search: { tab: 'runs' },
          })
          // The deleted run must not be refetched.
          queryClient.removeQueries({ queryKey: runQuery(projectId, runId).queryKey })
          await again()
        }}
      />
      {open === 'edit' && <EditRun projectId={projectId} run={run} onClose={close} />}
    </>
  )
}

/** Links to a comparison with the previous run of the suite. */
function CompareLink({ projectId, run }: { projectId: string; run: Run }) {
  const { data: before } = useQuery({
    queryKey: [...testsKey(projectId), 'before', run.run_id],
    queryFn: async ({ signal }) => {
      const page = await runs.page(projectId, { suite_id: run.suite_id, limit: 50 }, { signal })
      const at = page.runs.findIndex(({ run_id }) => run_id === run.run_id)
      return (at < 0 ? page.runs[0] : page.runs[at + 1])?.run_id ?? null
    },
  })
  if (!before) return null
  return (
    <Link
      to="/projects/$projectId/tests/compare"
      params={{ projectId }}
      search={{ suite: run.suite_id, a: before, b: run.run_id }}
      className={buttonClass()}
    >
      Compare
    </Link>
  )
}

function EditRun({ projectId, run, onClose }: { projectId: string; run: Run; onClose: () => void }) {
  const [name, setName] = useState(run.name ?? '')
  const [notes, setNotes] = useState(run.notes ?? '')
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      runs.update(projectId, run.run_id, { ...(name.trim() && { name: name.trim() }), notes }),
    onSuccess: (saved) => {
      queryClient.setQueryData(runQuery(projectId, run.run_id).queryKey, saved)
      onClose()
    },
  })
  return (
    <FormDialog title="Name and notes" onClose={onClose} sending={save} action="Save" busy="Saving…">
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            required={run.name !== null}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Notes">
        {(ids) => <Textarea {...ids} value={notes} onChange={(event) => setNotes(event.target.value)} />}
      </Field>
    </FormDialog>
  )
}
