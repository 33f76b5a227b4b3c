import type { ChatSettings } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../../shared/queries/models.ts'
import { Field, Select } from '../../ui/field.tsx'
import { rankingText } from './setting-fields.ts'

type Ranking = ChatSettings['rerank_model']

/** The choice of a model that ranks the passages of the search. A model that the server no longer has stays listed. */
export function RankingSelect({
  value,
  error,
  onChange,
}: {
  value: Ranking
  error: string | undefined
  onChange: (model: Ranking) => void
}) {
  const { data } = useQuery(modelsQuery)
  const models = data?.models.filter(({ kind }) => kind === 'rerank').map(({ name }) => name) ?? []
  const names: Ranking[] = [...new Set([null, 'chat', ...models, value])]
  return (
    <Field
      label="Ranking of passages"
      hint="A model reads up to 32 passages of the search and picks the best. Each question costs a call more."
      error={error}
    >
      {(ids) => (
        <Select {...ids} value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
          {names.map((name) => (
            <option key={name ?? ''} value={name ?? ''}>
              {rankingText(name)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
