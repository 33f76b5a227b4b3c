import type { Budget, BudgetPeriod, BudgetScope, BudgetUnit } from '@cairn/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

export const scopeTitles: Record<BudgetScope, string> = {
  project: 'The project',
  chat: 'A chat',
  app: 'An application',
  user: 'A user',
}
const periodTitles: Record<BudgetPeriod, string> = { day: 'A day', month: 'A month', total: 'In total' }
const unitTitles: Record<BudgetUnit, string> = { credits: 'Credits', usd: 'USD' }

function Choice<Name extends string>({
  label,
  titles,
  value,
  disabled,
  onChange,
}: {
  label: string
  titles: Record<Name, string>
  value: Name
  disabled?: boolean
  onChange: (name: Name) => void
}) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select
          {...ids}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as Name)}
        >
          {(Object.keys(titles) as Name[]).map((name) => (
            <option key={name} value={name}>
              {titles[name]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** The dialog that creates or changes a budget. */
export function BudgetForm({
  projectId,
  stored,
  onClose,
  onSaved,
}: {
  projectId: string
  /** The budget to change; undefined for a new one. */
  stored?: Budget
  onClose: () => void
  onSaved: () => unknown
}) {
  const [scope, setScope] = useState<BudgetScope>(stored?.scope ?? 'project')
  const [scopeId, setScopeId] = useState(stored?.scope_id ?? '')
  const [period, setPeriod] = useState<BudgetPeriod>(stored?.period ?? 'month')
  const [unit, setUnit] = useState<BudgetUnit>(stored?.unit ?? 'credits')
  const [limit, setLimit] = useState(stored?.limit.toString() ?? '')
  const save = useMutation({
    mutationFn: () => {
      const amount = { period, unit, limit: Number(limit) }
      if (stored) return client.console.budgets.update(stored.budget_id, amount)
      return client.console.budgets.create({
        project_id: projectId,
        scope,
        ...(scope !== 'project' && { scope_id: scopeId.trim() }),
        ...amount,
      })
    },
    onSuccess: () => {
      void onSaved()
      onClose()
    },
  })
  return (
    <FormDialog
      title={stored ? 'Change the budget' : 'New budget'}
      onClose={onClose}
      sending={save}
      failed="The budget was not saved"
      action={stored ? 'Save' : 'Create budget'}
      busy="Saving…"
    >
      <Choice
        label="Applies to"
        titles={scopeTitles}
        value={scope}
        disabled={Boolean(stored)}
        onChange={setScope}
      />
      {scope === 'chat' && !stored && (
        <ChatField projectId={projectId} value={scopeId} onChange={setScopeId} />
      )}
      {(scope === 'app' || scope === 'user') && !stored && (
        <Field label={scope === 'app' ? 'Application id' : 'User id'}>
          {(ids) => (
            <Input {...ids} required value={scopeId} onChange={(event) => setScopeId(event.target.value)} />
          )}
        </Field>
      )}
      <div className="grid grid-cols-3 gap-4">
        <Field label="Limit">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              step="any"
              required
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        <Choice label="Unit" titles={unitTitles} value={unit} onChange={setUnit} />
        <Choice label="Period" titles={periodTitles} value={period} onChange={setPeriod} />
      </div>
    </FormDialog>
  )
}

function ChatField({
  projectId,
  value,
  onChange,
}: {
  projectId: string
  value: string
  onChange: (chatId: string) => void
}) {
  const { data: chats } = useQuery(chatsQuery(projectId))
  return (
    <Field label="Chat">
      {(ids) => (
        <Select {...ids} required value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{chats ? 'Choose a chat' : 'Loading the chats…'}</option>
          {chats?.map(({ chat_id: chatId, title }) => (
            <option key={chatId} value={chatId}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
