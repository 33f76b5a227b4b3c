import type { Suite } from '@cairn/sdk'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { TargetFields } from './target-fields.tsx'
import { draftOf, type TargetDraft, targetOf } from './targets.ts'

/** A suite in the form. */
export interface SuiteDraft {
  name: string
  description: string
  /** Separated by commas. */
  tags: string
  target: TargetDraft
}

export function suiteDraftOf(suite?: Suite): SuiteDraft {
  return {
    name: suite?.name ?? '',
    description: suite?.description ?? '',
    tags: suite?.tags.join(', ') ?? '',
    target: draftOf(suite?.target),
  }
}

export function suiteOf({ name, description, tags, target }: SuiteDraft) {
  return {
    name: name.trim(),
    description: description.trim(),
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    target: targetOf(target),
  }
}

export function SuiteFields({
  projectId,
  draft,
  onChange,
}: {
  projectId: string
  draft: SuiteDraft
  onChange: (draft: SuiteDraft) => void
}) {
  return (
    <>
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            required
            maxLength={200}
            value={draft.name}
            placeholder="Questions about leave"
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <Textarea
            {...ids}
            value={draft.description}
            onChange={(event) => onChange({ ...draft, description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Tags" hint="Separated by commas">
        {(ids) => (
          <Input
            {...ids}
            value={draft.tags}
            onChange={(event) => onChange({ ...draft, tags: event.target.value })}
          />
        )}
      </Field>
      <TargetFields
        projectId={projectId}
        draft={draft.target}
        onChange={(target) => onChange({ ...draft, target })}
      />
    </>
  )
}
