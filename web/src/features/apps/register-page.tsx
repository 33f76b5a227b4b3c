import { useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { chatsQuery } from '../../shared/queries/chats.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { AlgorithmsField } from './algorithms-field.tsx'
import { ParentField } from './parent-field.tsx'
import { PrivateNote } from './private-note.tsx'
import { type Draft, emptyDraft, register, registrationFields } from './registration.ts'
import { TokenFields } from './token-fields.tsx'
import { useAppChange } from './use-app-change.ts'

export const RegisterPage = createLazyRoute('/signed-in/projects/$projectId/apps/register')({
  component: Register,
})

/** The screen that registers an application. */
function Register() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' })
  const navigate = useNavigate()
  const [draft, setDraft] = useState(emptyDraft)
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const queryClient = useQueryClient()
  const create = useAppChange(async () => {
    const appId = await register(draft, projectId)
    // Registration may have created the parent chat.
    void queryClient.invalidateQueries(chatsQuery(projectId))
    return appId
  })
  const errors = fieldErrors(create.error, registrationFields)
  return (
    <Page
      title="Register application"
      above={
        <Link to="/projects/$projectId/apps" params={{ projectId }} className="hover:text-fg">
          Apps
        </Link>
      }
    >
      <form
        className="flex max-w-2xl flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(undefined, {
            onSuccess: (appId) =>
              navigate({
                to: '/projects/$projectId/apps/$appId',
                params: { projectId, appId },
                search: { tab: 'integration' },
              }),
          })
        }}
      >
        <PrivateNote />
        <Field label="Name" error={errors.of.app_name}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              maxLength={200}
              value={draft.name}
              placeholder="Notes for customers"
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <TokenFields draft={draft} onChange={change} errors={errors.of} />
        <AlgorithmsField
          chosen={draft.algorithms}
          onChange={(algorithms) => change({ algorithms })}
          error={errors.of.alg_allowlist}
        />
        <ParentField projectId={projectId} draft={draft} onChange={change} error={errors.of.chat_id} />
        {errors.rest !== undefined && (
          <ErrorNotice error={create.error} title="The application was not registered" />
        )}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={create.isPending && 'Registering…'}>
            Register application
          </Button>
          <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  )
}
