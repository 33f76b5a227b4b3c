import type { ScopeDefinition, ScopeValues } from '@cairn/sdk'
import { useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/format.ts'
import { ScopeFields, toEntries, toValues } from './scope-fields.tsx'

/** Asks for the scope values of files before their upload. */
export function UploadDialog({
  files,
  scopes,
  onClose,
  onUpload,
}: {
  files: readonly File[]
  scopes: readonly ScopeDefinition[]
  onClose: () => void
  onUpload: (values: ScopeValues) => void
}) {
  const [entries, setEntries] = useState(() => toEntries(scopes, {}))
  const values = toValues(entries)
  const isMissing = scopes.some(({ name, required }) => required && !(name in values))
  const title = `Upload ${plural(files.length, 'file')}`
  return (
    <FormDialog
      title={title}
      description={
        scopes.length > 0
          ? 'Each file gets these scope values. Questions can be limited to files with certain values.'
          : 'This chat defines no scopes, so any name is accepted. Questions can be limited to files with certain values.'
      }
      onClose={onClose}
      sending={{ mutate: () => onUpload(values) }}
      action={title}
      disabled={isMissing}
    >
      <ul className="max-h-28 overflow-auto text-fg-2">
        {files.map((file) => (
          <li key={file.name} className="truncate">
            {file.name}
          </li>
        ))}
      </ul>
      <ScopeFields entries={entries} isFree={scopes.length === 0} onChange={setEntries} />
    </FormDialog>
  )
}
