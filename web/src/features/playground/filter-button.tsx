import type { ScopeDefinition, ScopeValues } from '@cairn/sdk'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/format.ts'
import { ScopeFields, toEntries, toValues } from '../documents/index.ts'

/** Chooses the scope values of the files that answer a question. */
export function FilterButton({
  scopes,
  filters,
  onChange,
}: {
  scopes: readonly ScopeDefinition[]
  filters: ScopeValues
  onChange: (filters: ScopeValues) => void
}) {
  const [open, setOpen] = useState(false)
  const texts = Object.entries(filters).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Button onClick={() => setOpen(true)} title={texts.join(', ') || undefined}>
        <ListFilter size={14} aria-hidden="true" />
        <span className="max-w-40 truncate">
          {texts.length === 0 ? 'Scopes' : texts.length === 1 ? texts[0] : plural(texts.length, 'scope')}
        </span>
      </Button>
      {open && (
        <FilterDialog
          scopes={scopes}
          filters={filters}
          onClose={() => setOpen(false)}
          onChange={(values) => {
            onChange(values)
            setOpen(false)
          }}
        />
      )}
    </>
  )
}

function FilterDialog({
  scopes,
  filters,
  onClose,
  onChange,
}: {
  scopes: readonly ScopeDefinition[]
  filters: ScopeValues
  onClose: () => void
  onChange: (filters: ScopeValues) => void
}) {
  const [entries, setEntries] = useState(() => toEntries(scopes, filters))
  return (
    <FormDialog
      title="Scope filters"
      description="Questions are answered only from files with exactly these values. Empty fields do not filter."
      onClose={onClose}
      sending={{ mutate: () => onChange(toValues(entries)) }}
      action="Apply"
      actions={
        Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>Remove all filters</Button>
      }
    >
      <ScopeFields entries={entries} isFree={scopes.length === 0} areFilters onChange={setEntries} />
    </FormDialog>
  )
}
