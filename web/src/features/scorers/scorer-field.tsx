import type { Scorer } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import type { SelectHTMLAttributes } from 'react'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

interface ScorerProps {
  projectId: string
  /** Slug of the scorer. */
  value: string
  onChange: (slug: string) => void
}

/** The initial scorer of a form; it needs no expected output. */
export const defaultScorer = 'helpfulness'

/** A description as a sentence. */
function sentence(text: string | null): string {
  if (!text) return ''
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}

function hintOf({ description, method, model }: Scorer): string {
  const how =
    method === 'local'
      ? 'Scored by a local method.'
      : `Scored by ${model ? `the model ${model}` : 'a model'}.`
  return `${sentence(description)} ${how}`.trim()
}

/** Chooses a scorer of the project and shows its description. */
export function ScorerField({ projectId, value, onChange }: ScorerProps) {
  const { data: scorers, error, refetch } = useQuery(scorersQuery(projectId))
  const chosen = scorers?.find(({ slug }) => slug === value)
  return (
    <>
      {error && <ErrorNotice error={error} title="The scorers could not be loaded" retry={refetch} />}
      <Field label="Scorer" hint={chosen && hintOf(chosen)}>
        {(ids) => <ScorerSelect {...ids} projectId={projectId} value={value} onChange={onChange} />}
      </Field>
    </>
  )
}

/** The select without label. The chosen scorer stays an option while the others load, and after it is deleted. */
export function ScorerSelect({
  projectId,
  value,
  onChange,
  ...rest
}: ScorerProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'>) {
  const { data: scorers = [] } = useQuery(scorersQuery(projectId))
  return (
    <Select {...rest} value={value} onChange={({ target }) => onChange(target.value)}>
      {[...new Set([...scorers.map(({ slug }) => slug), value])].map((slug) => (
        <option key={slug} value={slug}>
          {slug}
        </option>
      ))}
    </Select>
  )
}
