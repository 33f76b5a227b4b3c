import type { VersionSummary } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { versionQuery, versionsKey } from '../../shared/queries/versions.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { checkConfig, nextVersion, toText } from './config.ts'

/** The dialog that publishes a version, which becomes active at once. */
export function PublishVersion({
  projectId,
  versions,
  open,
  onClose,
}: {
  projectId: string
  /** Newest first. */
  versions: readonly VersionSummary[]
  open: boolean
  onClose: () => void
}) {
  const active = versions.find(({ is_active }) => is_active)
  const { data } = useQuery({
    ...versionQuery(projectId, active?.version_id ?? ''),
    enabled: active !== undefined,
  })
  if (!open || (active !== undefined && data === undefined)) return null
  return (
    <PublishDialog
      projectId={projectId}
      active={active}
      suggested={nextVersion(versions[0]?.version)}
      config={toText(data?.config)}
      onClose={onClose}
    />
  )
}

function PublishDialog({
  projectId,
  active,
  suggested,
  config: initial,
  onClose,
}: {
  projectId: string
  active: VersionSummary | undefined
  suggested: string
  config: string
  onClose: () => void
}) {
  const [version, setVersion] = useState(suggested)
  const [description, setDescription] = useState('')
  const [text, setText] = useState(initial)
  const checked = checkConfig(text)
  const problem = 'error' in checked ? checked.error : undefined
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const publish = useMutation({
    mutationFn: () =>
      client.versions.publish(projectId, {
        version: version.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
        ...('config' in checked && checked.config && { config: checked.config }),
      }),
    onSuccess: async ({ version_id: versionId }) => {
      await queryClient.invalidateQueries({ queryKey: versionsKey(projectId) })
      onClose()
      await navigate({ to: '/projects/$projectId/versions/$versionId', params: { projectId, versionId } })
    },
  })
  return (
    <FormDialog
      title="Publish a version"
      description={
        active
          ? `The new version replaces ${active.version} as the active version at once. The form starts with the configuration of ${active.version}.`
          : 'The new version becomes active at once.'
      }
      wide
      onClose={onClose}
      sending={publish}
      failed="The version was not published"
      action="Publish"
      busy="Publishing…"
      disabled={version.trim() === '' || problem !== undefined}
      actions={
        <Button
          className="mr-auto"
          variant="ghost"
          disabled={problem !== undefined || text.trim() === ''}
          onClick={() => 'config' in checked && setText(toText(checked.config))}
        >
          Format
        </Button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-[160px_1fr]">
        <Field label="Version" hint="Semantic version, such as 1.4.0">
          {(ids) => (
            <Input {...ids} required value={version} onChange={(event) => setVersion(event.target.value)} />
          )}
        </Field>
        <Field label="Description" hint="Changes since the previous version">
          {(ids) => (
            <Input
              {...ids}
              value={description}
              maxLength={10_000}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Field
        label="Configuration"
        hint="JSON with model, prompt, temperature and max_tokens; each is optional"
        error={problem}
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="h-44 font-mono sm:h-64"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
