import type { Permission } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'

/** What each permission lets a key of a chat do. */
const meanings: readonly { permission: Permission; meaning: string }[] = [
  { permission: 'query', meaning: 'ask questions' },
  { permission: 'read', meaning: 'read settings, files and search' },
  { permission: 'write', meaning: 'upload and delete files, change settings and scopes' },
  { permission: 'admin', meaning: 'graph and internal endpoints' },
]

/** Makes a key and shows it, this once. */
export function CreateKey({
  open,
  what,
  create,
  onCreated,
  onClose,
}: {
  open: boolean
  /** What the key is for. */
  what: string
  create: (request: { name: string; permissions: Permission[] }) => Promise<{ api_key: string }>
  onCreated: () => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<Permission[]>(['query', 'read', 'write'])
  const make = useMutation({
    mutationFn: () => create({ name: name.trim() || 'key', permissions }),
    onSuccess: onCreated,
  })
  const close = () => {
    make.reset()
    setName('')
    onClose()
  }
  const key = make.data?.api_key
  return (
    <Dialog
      title={key ? 'The new key' : `New key for ${what}`}
      open={open}
      onClose={close}
      {...(key && { description: 'Copy it now: it is not shown again.' })}
    >
      {key ? (
        <>
          <CodeBlock code={key} label="API key" />
          <DialogActions>
            <Button look="primary" onClick={close}>
              I have copied it
            </Button>
          </DialogActions>
        </>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            make.mutate()
          }}
        >
          <Field label="Name" hint="Who or what uses it.">
            {(ids) => (
              <Input
                {...ids}
                value={name}
                maxLength={200}
                placeholder="website"
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">Permissions</legend>
            {meanings.map(({ permission, meaning }) => (
              <Checkbox
                key={permission}
                checked={permissions.includes(permission)}
                onChange={(event) =>
                  setPermissions(
                    event.target.checked
                      ? [...permissions, permission]
                      : permissions.filter((one) => one !== permission),
                  )
                }
              >
                <code>{permission}</code> <span className="text-fg-2">{meaning}</span>
              </Checkbox>
            ))}
          </fieldset>
          {make.error && <ErrorNotice error={make.error} title="The key could not be made" />}
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              type="submit"
              look="primary"
              disabled={permissions.length === 0}
              busy={make.isPending && 'Creating…'}
            >
              Create key
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
