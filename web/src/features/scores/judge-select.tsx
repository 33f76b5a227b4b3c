import type { Scorer } from '@cairn/sdk'
import { Field, Select } from '../../ui/field.tsx'

/** Descriptions are phrases, written as they like. */
function sentence(text: string | null): string {
  if (!text) return ''
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
}

/** One of the judges of a project; below it what it does. */
export function JudgeSelect({
  scorers,
  value,
  onChange,
}: {
  scorers: readonly Scorer[] | undefined
  value: string
  onChange: (slug: string) => void
}) {
  const chosen = scorers?.find(({ slug }) => slug === value)
  const how = chosen && (chosen.method === 'model' ? 'Graded by a model.' : 'Graded by a local method.')
  return (
    <Field label="Judge" hint={chosen && [sentence(chosen.description), how].join(' ').trim()}>
      {(ids) => (
        <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)} disabled={!scorers}>
          {(scorers ?? []).map(({ slug }) => (
            <option key={slug} value={slug}>
              {slug}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
