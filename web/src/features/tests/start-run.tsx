import type { StartRun as StartRunRequest, Suite } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { useChatTitles } from '../../shared/queries/chats.ts'
import { testsKey } from '../../shared/queries/suites.ts'
import { versionsQuery } from '../../shared/queries/versions.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/format.ts'
import { TargetFields } from './target-fields.tsx'
import { draftOf, targetOf, targetText } from './targets.ts'

const start = { name: '', notes: '', versionId: '', concurrency: '4', timeoutSeconds: '' }

/** The dialog that starts a run of a suite. */
export function StartRun({
  projectId,
  suite,
  onClose,
  onStarted,
}: {
  projectId: string
  suite: Suite
  onClose: () => void
  onStarted: (runId: string) => unknown
}) {
  const [draft, setDraft] = useState(start)
  const [target, setTarget] = useState(() => draftOf(null))
  const { data: versions = [] } = useQuery(versionsQuery(projectId))
  const titles = useChatTitles(projectId)
  const queryClient = useQueryClient()
  const run = useMutation({
    mutationFn: () => {
      const request: StartRunRequest = {
        ...(draft.name.trim() && { name: draft.name.trim() }),
        ...(draft.notes.trim() && { notes: draft.notes.trim() }),
        ...(draft.versionId && { version_id: draft.versionId }),
        ...(target.type !== 'default' && { target: targetOf(target) }),
        ...(draft.concurrency && { concurrency: Number(draft.concurrency) }),
        ...(draft.timeoutSeconds && { timeout_ms: Math.round(Number(draft.timeoutSeconds) * 1000) }),
      }
      return client.testing.suites.run(projectId, suite.suite_id, request)
    },
    onSuccess: async ({ run_id: runId }) => {
      await onStarted(runId)
      await queryClient.invalidateQueries({ queryKey: testsKey(projectId) })
    },
  })
  return (
    <FormDialog
      title={`Run ${suite.name}`}
      description={`Sends ${plural(suite.case_count, 'case')} to the target in the background. You can leave this page.`}
      onClose={onClose}
      sending={run}
      failed="The run was not started"
      action="Start run"
      busy="Starting…"
    >
      <TargetFields
        projectId={projectId}
        draft={target}
        onChange={setTarget}
        defaultTitle={`Target of the suite: ${targetText(suite.target, titles)}`}
      />
      <Field label="Version" hint="The run uses its configuration, and the traces of the run name it.">
        {(ids) => (
          <Select
            {...ids}
            value={draft.versionId}
            onChange={(event) => setDraft({ ...draft, versionId: event.target.value })}
          >
            <option value="">None</option>
            {versions.map(({ version_id: versionId, version, is_active: active }) => (
              <option key={versionId} value={versionId}>
                {active ? `${version} (active)` : version}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Concurrency">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={1}
              max={32}
              value={draft.concurrency}
              onChange={(event) => setDraft({ ...draft, concurrency: event.target.value })}
            />
          )}
        </Field>
        <Field label="Timeout per case, s">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0.1}
              max={600}
              step="any"
              placeholder="server default"
              value={draft.timeoutSeconds}
              onChange={(event) => setDraft({ ...draft, timeoutSeconds: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            value={draft.name}
            placeholder="With the shorter prompt"
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Notes">
        {(ids) => (
          <Textarea
            {...ids}
            value={draft.notes}
            onChange={(event) => setDraft({ ...draft, notes: event.target.value })}
          />
        )}
      </Field>
    </FormDialog>
  )
}
