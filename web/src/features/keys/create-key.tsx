import type { CreatedKey, CreateKey as CreateKeyRequest, Permission } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import type { Meanings } from './permissions.ts'

/** The dialog that creates a key and then shows it, this one time. */
export function CreateKey({
  title,
  placeholder,
  meanings,
  usual,
  create,
  onCreated,
  onClose,
  children,
}: {
  title: string
  /** Example of a name. */
  placeholder: string
  /** The permissions that can be given. */
  meanings: Meanings
  /** The initially checked permissions. */
  usual: readonly Permission[]
  create: (request: CreateKeyRequest) => Promise<CreatedKey>
  /** Not awaited, because the key must be shown even if this fails. */
  onCreated: () => unknown
  onClose: () => void
  /** Shown below the new key, such as code that uses it. */
  children?: (created: CreatedKey) => ReactNode
}) {
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState(usual)
  const make = useMutation({
    mutationFn: () => create({ ...(name.trim() && { name: name.trim() }), permissions: [...permissions] }),
    onSuccess: () => void onCreated(),
  })
  if (make.data) {
    return (
      <Dialog title="The new key" open onClose={onClose} wide={children !== undefined}>
        <SecretOnce what="key" secret={make.data.api_key} />
        {children?.(make.data)}
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      sending={make}
      failed="The key was not created"
      action="Create key"
      busy="Creating…"
      disabled={permissions.length === 0}
    >
      <Field label="Name" hint="The application that will use the key.">
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            value={name}
            placeholder={placeholder}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Permissions meanings={meanings} chosen={permissions} onChange={setPermissions} />
    </FormDialog>
  )
}

function Permissions({
  meanings,
  chosen,
  onChange,
}: {
  meanings: Meanings
  chosen: readonly Permission[]
  onChange: (permissions: readonly Permission[]) => void
}) {
  const names = Object.keys(meanings) as Permission[]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Permissions</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          checked={chosen.includes(name)}
          onChange={({ target }) =>
            onChange(names.filter((one) => (one === name ? target.checked : chosen.includes(one))))
          }
        >
          <span className="font-medium">{name}</span>
          <span className="block text-fg-2">{meanings[name]}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}
