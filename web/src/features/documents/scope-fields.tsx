import type { ScopeDefinition, ScopeValue, ScopeValues } from '@cairn/sdk'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'

/** A scope value in a form; its name is given by the chat or typed by the user. */
export interface ScopeEntry {
  name: string
  type: ScopeDefinition['type']
  text: string
  /** The definition, if the chat defines the scope. */
  definition?: ScopeDefinition
}

/** An entry for each scope of the chat and for each further value. */
export function toEntries(definitions: readonly ScopeDefinition[], values: ScopeValues): ScopeEntry[] {
  const known = definitions.map((definition) => {
    const { name, type } = definition
    return { name, type, text: String(values[name] ?? ''), definition }
  })
  const others = Object.entries(values)
    .filter(([name]) => !definitions.some((definition) => definition.name === name))
    .map(([name, value]) => ({ name, type: typeof value as ScopeEntry['type'], text: String(value) }))
  return [...known, ...others]
}

/** The values of the entries without empty ones. Invalid numbers stay texts, which the server rejects with a reason. */
export function toValues(entries: readonly ScopeEntry[]): ScopeValues {
  const typed = entries.filter(({ name, text }) => name.trim() !== '' && text.trim() !== '')
  return Object.fromEntries(typed.map(({ name, type, text }) => [name.trim(), typedValue(type, text.trim())]))
}

function typedValue(type: ScopeEntry['type'], text: string): ScopeValue {
  if (type === 'boolean') return text === 'true'
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Fields for scope values: the scopes of the chat, or free names if it defines none. */
export function ScopeFields({
  entries,
  isFree,
  areFilters,
  onChange,
}: {
  entries: readonly ScopeEntry[]
  /** The user can add names, since the chat defines none. */
  isFree: boolean
  /** The values filter a question, so that none is required. */
  areFilters?: boolean
  onChange: (entries: ScopeEntry[]) => void
}) {
  const change = (index: number, values: Partial<ScopeEntry>) =>
    onChange(entries.map((entry, at) => (at === index ? { ...entry, ...values } : entry)))
  return (
    <div className="flex flex-col gap-3">
      {entries.map((entry, index) =>
        entry.definition ? (
          <Field
            key={entry.name}
            label={entry.name + (entry.definition.required && !areFilters ? ' (required)' : '')}
            hint={entry.definition.description ?? entry.type}
          >
            {(ids) => <ValueControl {...ids} entry={entry} onChange={(text) => change(index, { text })} />}
          </Field>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no identity but its place
          <div key={index} className="flex items-end gap-2">
            <Field label="Name" className="min-w-0 flex-1">
              {(ids) => (
                <Input
                  {...ids}
                  value={entry.name}
                  placeholder="team"
                  onChange={(event) => change(index, { name: event.target.value })}
                />
              )}
            </Field>
            <Field label="Type" className="w-24">
              {(ids) => (
                <Select
                  {...ids}
                  value={entry.type}
                  onChange={(event) =>
                    change(index, { type: event.target.value as ScopeEntry['type'], text: '' })
                  }
                >
                  <option>string</option>
                  <option>number</option>
                  <option>boolean</option>
                </Select>
              )}
            </Field>
            <Field label="Value" className="min-w-0 flex-1">
              {(ids) => <ValueControl {...ids} entry={entry} onChange={(text) => change(index, { text })} />}
            </Field>
            <IconButton label="Remove" onClick={() => onChange(entries.filter((_, at) => at !== index))}>
              <X size={14} />
            </IconButton>
          </div>
        ),
      )}
      {isFree && (
        <Button
          className="self-start"
          onClick={() => onChange([...entries, { name: '', type: 'string', text: '' }])}
        >
          <Plus size={14} aria-hidden="true" /> Add a scope
        </Button>
      )}
    </div>
  )
}

function ValueControl({
  entry,
  onChange,
  ...ids
}: {
  id: string
  entry: ScopeEntry
  onChange: (text: string) => void
}) {
  if (entry.type === 'boolean') {
    return (
      <Select {...ids} value={entry.text} onChange={(event) => onChange(event.target.value)}>
        <option value="">Not set</option>
        <option>true</option>
        <option>false</option>
      </Select>
    )
  }
  return (
    <Input
      {...ids}
      value={entry.text}
      inputMode={entry.type === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
