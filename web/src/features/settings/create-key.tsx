import type { CreatedKey, Permission } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, serverAddress } from '../../client.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { permissionMeanings, permissionNames, usualPermissions } from './permissions.ts'
import { keySnippets, type SnippetName, snippetNames } from './snippets.ts'

/** Asks what a key may do; then shows it, this once, with the lines that use it. */
export function CreateKey({
  projectId,
  onClose,
  onCreated,
}: {
  projectId: string
  onClose: () => void
  onCreated: () => unknown
}) {
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState(usualPermissions)
  const create = useMutation({
    mutationFn: () =>
      client.console.keys.createForProject(projectId, {
        ...(name.trim() && { name: name.trim() }),
        permissions: [...permissions],
      }),
    onSuccess: onCreated,
  })
  if (create.data) return <ShownKey projectId={projectId} created={create.data} onClose={onClose} />
  return (
    <Dialog title="New key" open onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Name" hint="Of the application that will use it.">
          {(ids) => (
            <Input
              {...ids}
              maxLength={200}
              value={name}
              placeholder="Production"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Permissions chosen={permissions} onChange={setPermissions} />
        {create.error && <ErrorNotice error={create.error} title="No key was made" />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={permissions.length === 0}
            busy={create.isPending && 'Creating…'}
          >
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Permissions({
  chosen,
  onChange,
}: {
  chosen: readonly Permission[]
  onChange: (permissions: readonly Permission[]) => void
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">What it may do</legend>
      {permissionNames.map((name) => (
        <Checkbox
          key={name}
          checked={chosen.includes(name)}
          onChange={(event) =>
            onChange(
              permissionNames.filter((one) => (one === name ? event.target.checked : chosen.includes(one))),
            )
          }
        >
          <span className="font-medium">{name}</span>
          <span className="block text-fg-2">{permissionMeanings[name]}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}

function ShownKey({
  projectId,
  created,
  onClose,
}: {
  projectId: string
  created: CreatedKey
  onClose: () => void
}) {
  const [shown, setShown] = useState<SnippetName>('curl')
  const snippets = keySnippets(serverAddress, projectId, created.api_key)
  return (
    <Dialog title="The new key" open onClose={onClose} wide>
      <SecretOnce what="key" secret={created.api_key} />
      {created.permissions.includes('ingest') && (
        <div className="flex flex-col gap-2">
          <h3 className="font-semibold">Send a first trace with it</h3>
          <Tabs
            label="Language"
            tabs={(Object.keys(snippetNames) as SnippetName[]).map((name) => ({
              name,
              title: snippetNames[name],
            }))}
            value={shown}
            onChange={setShown}
          >
            {(name) => <CodeBlock code={snippets[name]} label={snippetNames[name]} />}
          </Tabs>
        </div>
      )}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
