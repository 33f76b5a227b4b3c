import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Input } from '../ui/field.tsx'
import { modelsQuery } from './queries/models.ts'

/** The id of an embedding model, with the known models of configured providers as suggestions. */
export function EmbeddingInput({
  value,
  placeholder,
  onChange,
  ...ids
}: {
  id?: string
  value: string
  placeholder: string
  onChange: (name: string) => void
}) {
  const list = useId()
  const { data } = useQuery(modelsQuery)
  const names = data?.models.filter(({ kind, configured }) => kind === 'embedding' && configured) ?? []
  return (
    <>
      <Input
        {...ids}
        list={list}
        className="font-mono text-sm"
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {names.map(({ name }) => (
          <option key={name} value={name} />
        ))}
        <option value="none" />
      </datalist>
    </>
  )
}
