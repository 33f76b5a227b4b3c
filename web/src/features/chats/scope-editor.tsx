import type { ScopeDefinition } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { scopesQuery } from '../../shared/queries/chats.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { plural } from '../../ui/format.ts'
import { randomId } from '../../ui/random-id.ts'
import { ErrorNotice, messageOf } from '../../ui/states/error-notice.tsx'
import { refusedScope } from './refused-scope.ts'
import { ScopeRow } from './scope-row.tsx'

const empty: ScopeDefinition = { name: '', type: 'string', required: false }

/** Edits all scopes of a chat and saves them together. A rejection is shown at the scope that it is about. */
export function ScopeEditor({ chatId, scopes }: { chatId: string; scopes: readonly ScopeDefinition[] }) {
  const [rows, setRows] = useState(() => scopes.map((scope) => ({ ...scope, key: randomId() })))
  const [clearing, setClearing] = useState(false)
  const queryClient = useQueryClient()
  const definitions = rows.map(({ key, description, ...scope }) => ({
    ...scope,
    ...(description && { description }),
  }))
  const save = useMutation({
    mutationFn: () => client.scopes.configure(chatId, { scopes: definitions }),
    onSuccess: () => queryClient.invalidateQueries(scopesQuery(chatId)),
  })
  const clear = async () => {
    await client.scopes.clear(chatId)
    await queryClient.invalidateQueries(scopesQuery(chatId))
  }
  const message = save.error ? messageOf(save.error) : undefined
  const refused = message === undefined ? undefined : refusedScope(message, definitions)
  const isSame = JSON.stringify(definitions) === JSON.stringify(scopes)
  const change = (key: string, values: Partial<ScopeDefinition>) => {
    setRows(rows.map((row) => (row.key === key ? { ...row, ...values } : row)))
    save.reset()
  }
  return (
    <form
      className="flex max-w-4xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {rows.length === 0 && (
        <p className="text-fg-3">No scopes are configured, so any name and type is accepted.</p>
      )}
      {rows.map(({ key, ...scope }, index) => (
        <ScopeRow
          key={key}
          scope={scope}
          number={index + 1}
          error={refused === index ? message : undefined}
          onChange={(values) => change(key, values)}
          onRemove={() => setRows(rows.filter((row) => row.key !== key))}
        />
      ))}
      {save.error && refused === undefined && (
        <ErrorNotice error={save.error} title="The scopes could not be saved" />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => setRows([...rows, { ...empty, key: randomId() }])}>
          <Plus size={14} aria-hidden="true" /> Add a scope
        </Button>
        <Button type="submit" variant="primary" disabled={isSame} busy={save.isPending && 'Saving…'}>
          Save the scopes
        </Button>
        {scopes.length > 0 && (
          <Button variant="danger" className="ml-auto" onClick={() => setClearing(true)}>
            Clear all…
          </Button>
        )}
      </div>
      <ConfirmDialog
        title="Clear the scope configuration?"
        consequences={`${plural(scopes.length, 'scope')} (${scopes.map(({ name }) => name).join(', ')}) will no longer be defined or required. Files keep their values.`}
        action="Clear the configuration"
        open={clearing}
        onClose={() => setClearing(false)}
        onConfirm={clear}
      />
    </form>
  )
}
