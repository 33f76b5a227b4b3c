import type { VersionConfig, VersionSummary } from '@cairn/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { versionQuery, versionsKey } from '../../shared/queries/versions.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { checkConfig, checkDraft, draftOf, nextVersion, toText } from './config.ts'
import { ConfigFields } from './config-fields.tsx'

/** The dialog that publishes a version. It asks before the version replaces the active one. */
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
      config={data?.config ?? null}
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
  config: VersionConfig | null
  onClose: () => void
}) {
  const [version, setVersion] = useState(suggested)
  const [description, setDescription] = useState('')
  const [draft, setDraft] = useState(() => draftOf(initial))
  // The text while the configuration is edited as JSON.
  const [json, setJson] = useState<string>()
  const checked = json === undefined ? checkDraft(draft) : checkConfig(json)
  const problem = 'error' in checked ? checked.error : undefined
  const config = 'config' in checked ? checked.config : undefined
  // What the user was asked about; any change asks again.
  const form = JSON.stringify([version, description, draft, json])
  const [asked, setAsked] = useState<string>()
  const isAsking = active !== undefined && asked === form
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const publish = useMutation({
    mutationFn: () =>
      client.versions.publish(projectId, {
        version: version.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
        ...(config && { config }),
      }),
    onSuccess: async ({ version_id: versionId }) => {
      await queryClient.invalidateQueries({ queryKey: versionsKey(projectId) })
      onClose()
      await navigate({ to: '/projects/$projectId/versions/$versionId', params: { projectId, versionId } })
    },
  })
  const name = version.trim()
  return (
    <FormDialog
      title="Publish a version"
      description={
        active
          ? `The form starts with the configuration of ${active.version}, the active version.`
          : 'The new version becomes active at once.'
      }
      wide
      onClose={onClose}
      sending={{
        ...publish,
        mutate: () => (active && !isAsking ? setAsked(form) : publish.mutate()),
      }}
      failed="The version was not published"
      action={isAsking ? `Publish and activate ${name}` : active ? 'Publish…' : 'Publish'}
      busy="Publishing…"
      disabled={name === '' || problem !== undefined}
      actions={
        <Button
          className="mr-auto"
          variant="ghost"
          disabled={problem !== undefined}
          onClick={() => {
            if (json === undefined) return setJson(toText(config))
            setDraft(draftOf(config))
            setJson(undefined)
          }}
        >
          {json === undefined ? 'Edit as JSON' : 'Edit as fields'}
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
      {json === undefined ? (
        <ConfigFields draft={draft} problem={problem} onChange={setDraft} />
      ) : (
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
              value={json}
              onChange={(event) => setJson(event.target.value)}
            />
          )}
        </Field>
      )}
      {isAsking && (
        <p role="status" className="rounded-md border border-warning p-3">
          {name} replaces {active.version} as the active version at once. Applications that use the active
          version of this project get {name} from then on. You can roll back.
        </p>
      )}
    </FormDialog>
  )
}
