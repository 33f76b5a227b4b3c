import type { AssertionType } from '@cairn/sdk'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input, Select, Textarea } from '../../ui/field.tsx'
import { ScorerSelect } from '../scorers/index.ts'
import { type AssertionDraft, assertionKinds, newAssertion } from './assertion-kinds.ts'

/** Fields for the assertions of a case. */
export function AssertionFields({
  projectId,
  drafts,
  onChange,
}: {
  projectId: string
  drafts: readonly AssertionDraft[]
  onChange: (drafts: AssertionDraft[]) => void
}) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium">Assertions</legend>
      {drafts.length === 0 && (
        <p className="text-fg-2">
          Without assertions, the scorer <code>correctness</code> compares the answer with the expected
          answer.
        </p>
      )}
      {drafts.map((draft, at) => (
        <AssertionRow
          key={draft.key}
          number={at + 1}
          projectId={projectId}
          draft={draft}
          onChange={(next) => onChange(drafts.map((one) => (one.key === next.key ? next : one)))}
          onRemove={() => onChange(drafts.filter((one) => one.key !== draft.key))}
        />
      ))}
      <div>
        <Button onClick={() => onChange([...drafts, newAssertion()])}>
          <Plus size={14} aria-hidden="true" />
          Add assertion
        </Button>
      </div>
    </fieldset>
  )
}

function AssertionRow({
  number,
  projectId,
  draft,
  onChange,
  onRemove,
}: {
  number: number
  projectId: string
  draft: AssertionDraft
  onChange: (draft: AssertionDraft) => void
  onRemove: () => void
}) {
  const kind = assertionKinds[draft.type]
  return (
    <div className="flex flex-col gap-1.5 border-l-2 pl-3">
      <div className="flex items-center gap-2">
        <Select
          aria-label={`Kind of assertion ${number}`}
          value={draft.type}
          onChange={(event) =>
            onChange({ ...newAssertion(event.target.value as AssertionType), key: draft.key })
          }
        >
          {(Object.keys(assertionKinds) as AssertionType[]).map((type) => (
            <option key={type} value={type}>
              {assertionKinds[type].title}
            </option>
          ))}
        </Select>
        <IconButton label={`Remove assertion ${number}`} onClick={onRemove}>
          <X size={14} />
        </IconButton>
      </div>
      <AssertionValue
        label={`Value of assertion ${number}`}
        projectId={projectId}
        draft={draft}
        onChange={onChange}
      />
      <p className="text-sm text-fg-3">{kind.meaning}</p>
    </div>
  )
}

function AssertionValue({
  label,
  projectId,
  draft,
  onChange,
}: {
  label: string
  projectId: string
  draft: AssertionDraft
  onChange: (draft: AssertionDraft) => void
}) {
  const { field, unit } = assertionKinds[draft.type]
  const common = { 'aria-label': label, value: draft.value }
  const set = (value: string) => onChange({ ...draft, value })
  if (field === 'choice') {
    return (
      <Select {...common} onChange={(event) => set(event.target.value)}>
        <option value="true">Must be JSON</option>
        <option value="false">Must not be JSON</option>
      </Select>
    )
  }
  if (field === 'json' || field === 'lines') {
    return (
      <Textarea
        {...common}
        className="font-mono text-sm"
        onChange={(event) => set(event.target.value)}
        placeholder={field === 'json' ? '{"type": "object", "required": ["answer"]}' : undefined}
      />
    )
  }
  if (field === 'text') return <Input {...common} required onChange={(event) => set(event.target.value)} />
  const limits = field === 'number' ? { min: 0 } : { min: 0, max: 1 }
  return (
    <div className="flex items-center gap-2">
      <Input
        {...common}
        {...limits}
        type="number"
        step="any"
        required
        className="max-w-32"
        onChange={(event) => set(event.target.value)}
      />
      {unit && <span className="text-fg-2">{unit}</span>}
      {field === 'share' && (
        <ScorerSelect
          aria-label="Scorer"
          projectId={projectId}
          value={draft.other || 'correctness'}
          onChange={(other) => onChange({ ...draft, other })}
        />
      )}
      {field === 'likeness' && (
        <Input
          aria-label={`${label}: compared with`}
          placeholder="the expected answer"
          value={draft.other}
          onChange={(event) => onChange({ ...draft, other: event.target.value })}
        />
      )}
    </div>
  )
}
