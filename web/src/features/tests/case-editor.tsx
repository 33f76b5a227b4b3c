import type { Case } from '@cairn/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyId } from '../../ui/copy-button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { AssertionFields } from './assertion-fields.tsx'
import { assertionDraftOf, assertionOf } from './assertion-kinds.ts'

const { cases } = client.testing

function draftOf(stored: Case | undefined) {
  return {
    query: stored?.query ?? '',
    expected: stored?.expected_answer ?? '',
    category: stored?.category ?? '',
    assertions: (stored?.assertions ?? []).map(assertionDraftOf),
  }
}

/** The form of a case: input, expected answer, assertions and category. */
export function CaseEditor({
  projectId,
  suiteId,
  stored,
  onClose,
  onChanged,
}: {
  projectId: string
  suiteId: string
  stored: Case | undefined
  onClose: () => void
  onChanged: (saved?: Case) => Promise<unknown>
}) {
  const [draft, setDraft] = useState(() => draftOf(stored))
  const [deleting, setDeleting] = useState(false)
  const save = useMutation({
    mutationFn: async () => {
      const content = {
        query: draft.query,
        expected_answer: draft.expected,
        ...(draft.category.trim() && { category: draft.category.trim() }),
        assertions: draft.assertions.map(assertionOf),
      }
      if (stored) return cases.update(projectId, suiteId, stored.case_id, content)
      await cases.create(projectId, suiteId, content)
      return undefined
    },
    onSuccess: onChanged,
  })
  return (
    <form
      className="flex flex-col gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {stored && <Origin projectId={projectId} stored={stored} />}
      <Field label="Input">
        {(ids) => (
          <Textarea
            {...ids}
            required
            autoFocus={!stored}
            value={draft.query}
            onChange={(event) => setDraft({ ...draft, query: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Expected answer"
        hint="Scorers compare the answer with it. It may be empty if assertions are enough."
      >
        {(ids) => (
          <Textarea
            {...ids}
            className="min-h-24"
            value={draft.expected}
            onChange={(event) => setDraft({ ...draft, expected: event.target.value })}
          />
        )}
      </Field>
      <AssertionFields
        projectId={projectId}
        drafts={draft.assertions}
        onChange={(assertions) => setDraft({ ...draft, assertions })}
      />
      <Field
        label="Category"
        hint={stored?.category ? 'It can be changed but not removed.' : 'Groups cases in reports.'}
      >
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            required={Boolean(stored?.category)}
            value={draft.category}
            onChange={(event) => setDraft({ ...draft, category: event.target.value })}
          />
        )}
      </Field>
      {save.error && <ErrorNotice error={save.error} title="The case was not saved" />}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending && 'Saving…'}
          disabled={draft.query.trim() === ''}
        >
          {stored ? 'Save case' : 'Add case'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {stored && (
          <Button variant="danger" className="ml-auto" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        )}
      </div>
      {stored && (
        <ConfirmDialog
          title="Delete the case?"
          consequences={`This deletes “${stored.query.slice(0, 200)}” from the suite. Earlier runs keep their results.`}
          action="Delete case"
          open={deleting}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await cases.delete(projectId, suiteId, stored.case_id)
            await onChanged()
          }}
        />
      )}
    </form>
  )
}

function Origin({ projectId, stored }: { projectId: string; stored: Case }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-fg-3">
      <CopyId id={stored.case_id} />
      {stored.trace_id && (
        <Link to={`/projects/${projectId}/traces/${stored.trace_id}` as string} className="link">
          Created from a trace
        </Link>
      )}
    </p>
  )
}
