import type { Scorer } from '@cairn/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { ModelSelect } from '../../shared/model-select.tsx'
import { scorersQuery } from '../../shared/queries/scorers.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import { type ScorerDraft, scorerDraft, toRequest, twiceIn } from './scorer-draft.ts'

const fields = ['slug', 'prompt', 'choices', 'model', 'description'] as const

/** The dialog that creates or changes a scorer: a prompt for a model, and a score for each choice. */
export function ScorerForm({
  projectId,
  stored,
  onClose,
  onSaved,
}: {
  projectId: string
  /** The scorer to change; undefined for a new one. */
  stored?: Scorer
  onClose: () => void
  onSaved?: (slug: string) => unknown
}) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => scorerDraft(stored))
  const change = (changes: Partial<ScorerDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: () =>
      stored
        ? client.scorers.replace(projectId, stored.slug, toRequest(draft))
        : client.scorers.create(projectId, { slug: draft.slug.trim(), ...toRequest(draft) }),
    onSuccess: async ({ slug }) => {
      await queryClient.invalidateQueries(scorersQuery(projectId))
      onClose()
      await onSaved?.(slug)
    },
  })
  const twice = twiceIn(draft.choices)
  const { of: errors, rest } = fieldErrors(save.error, fields)
  return (
    <FormDialog
      title={stored ? `Edit ${stored.slug}` : 'New scorer'}
      description={
        stored
          ? 'The change applies to new scores. Earlier scores stay as they are.'
          : 'Your scorer asks a model about each output, and the model picks a choice.'
      }
      onClose={onClose}
      wide
      sending={save}
      error={rest ? save.error : null}
      failed="The scorer was not saved"
      action={stored ? 'Save' : 'Create scorer'}
      busy={stored ? 'Saving…' : 'Creating…'}
      disabled={twice !== undefined}
    >
      {!stored && (
        <Field
          label="Slug"
          error={errors.slug}
          hint="The name of the scorer and of its scores: lower-case letters, digits and hyphens. It cannot be changed."
        >
          {(ids) => (
            <Input
              {...ids}
              required
              maxLength={64}
              value={draft.slug}
              placeholder="tone"
              onChange={({ target }) => change({ slug: target.value })}
            />
          )}
        </Field>
      )}
      <Field label="Description" error={errors.description}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={10_000}
            value={draft.description}
            placeholder="whether the answer is friendly"
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      <Field
        label="Prompt"
        error={errors.prompt}
        hint={
          <>
            It must contain <code>{'{{output}}'}</code>, and may contain <code>{'{{input}}'}</code> and{' '}
            <code>{'{{expected_output}}'}</code>. The texts are inserted as data.
          </>
        }
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="h-32"
            required
            maxLength={50_000}
            value={draft.prompt}
            placeholder="A customer wrote {{input}}. Is the tone of {{output}} friendly?"
            onChange={({ target }) => change({ prompt: target.value })}
          />
        )}
      </Field>
      <ChoiceFields
        choices={draft.choices}
        onChange={(choices) => change({ choices })}
        error={twice ? `The choice “${twice}” is repeated. Rename or remove one.` : errors.choices}
      />
      <Field label="Model" error={errors.model}>
        {(ids) => (
          <ModelSelect
            {...ids}
            none="The default model of the server"
            value={draft.model}
            onChange={(model) => change({ model })}
          />
        )}
      </Field>
    </FormDialog>
  )
}
