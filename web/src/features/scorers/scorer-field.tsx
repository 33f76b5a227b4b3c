import type { Scorer } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import type { SelectHTMLAttributes } from 'react'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'

interface ScorerProps {
  projectId: string
  /** The slug of the judge. */
  value: string
  onChange: (slug: string) => void
}

/** The judge that a form begins with: it needs no expected output. */
export const defaultScorer = 'helpfulness'

/** Descriptions are phrases, written as they like. */
function sentence(text: string | null): string {
  if (!text) return ''
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}

function hintOf({ description, method, model }: Scorer): string {
  const how =
    method === 'local'
      ? 'Graded by a local method.'
      : `Graded by ${model ? `the model ${model}` : 'a model'}.`
  return `${sentence(description)} ${how}`.trim()
}

/** One of the judges of a project; below it what it does. */
export function ScorerField({ projectId, value, onChange }: ScorerProps) {
  const { data: scorers, error, refetch } = useQuery(scorersQuery(projectId))
  const chosen = scorers?.find(({ slug }) => slug === value)
  return (
    <>
      {error && <ErrorNotice error={error} title="The judges could not be loaded" retry={refetch} />}
      <Field label="Judge" hint={chosen && hintOf(chosen)}>
        {(ids) => <ScorerSelect {...ids} projectId={projectId} value={value} onChange={onChange} />}
      </Field>
    </>
  )
}

/** The choice alone. A judge that is chosen stays a choice while the others are read, and when it is deleted. */
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
