import { Field, Input, Textarea } from '../../ui/field.tsx'

export interface RelationshipDraft {
  confidence: number
  reason: string
}

/** Fields for the confidence and the reason of a relationship. */
export function RelationshipForm({
  draft,
  onChange,
}: {
  draft: RelationshipDraft
  onChange: (draft: RelationshipDraft) => void
}) {
  return (
    <>
      <Field label="Confidence" hint="0 to 1. Search passes a score on along it, times 0.6 × its confidence.">
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={0}
            max={1}
            step={0.01}
            required
            className="max-w-24"
            value={Number.isNaN(draft.confidence) ? '' : draft.confidence}
            onChange={(event) => onChange({ ...draft, confidence: event.target.valueAsNumber })}
          />
        )}
      </Field>
      <Field label="Reason" hint="Why the two chunks are related.">
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            maxLength={2000}
            value={draft.reason}
            onChange={(event) => onChange({ ...draft, reason: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
