import type { ApplicationDetail, UpdateApplication } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../shared/client.ts'
import { chatQuery } from '../../shared/queries/chats.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { fieldErrors } from '../../ui/field-errors.ts'
import { ErrorNotice } from '../../ui/states/error-notice.tsx'
import { AlgorithmsField } from './algorithms-field.tsx'
import { ListField, linesOf } from './list-field.tsx'
import { dynamic } from './registration.ts'
import { useAppChange } from './use-app-change.ts'
import { Warning } from './warning.tsx'

const fields = ['app_name', 'allowed_issuers', 'allowed_audiences', 'alg_allowlist', 'jwks_uri'] as const

function draftOf(app: ApplicationDetail) {
  return {
    name: app.app_name,
    issuers: (app.allowed_issuers ?? []).join('\n'),
    audiences: app.allowed_audiences.join('\n'),
    algorithms: app.alg_allowlist,
    jwksUri: app.jwks_uri ?? '',
  }
}

type Draft = ReturnType<typeof draftOf>

/** The fields of the form that differ from the stored application. */
function changesOf(app: ApplicationDetail, draft: Draft): UpdateApplication {
  const before = draftOf(app)
  const differs = (name: keyof Draft) => JSON.stringify(draft[name]) !== JSON.stringify(before[name])
  return {
    ...(differs('name') && { app_name: draft.name }),
    ...(differs('issuers') && { allowed_issuers: linesOf(draft.issuers) }),
    ...(differs('audiences') && { allowed_audiences: linesOf(draft.audiences) }),
    ...(differs('algorithms') && { alg_allowlist: draft.algorithms }),
    ...(differs('jwksUri') && { jwks_uri: draft.jwksUri.trim() }),
  }
}

/** The form of the accepted issuers, audiences and algorithms of an application. */
export function AppSettings({ app }: { app: ApplicationDetail }) {
  const [draft, setDraft] = useState(() => draftOf(app))
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const changes = changesOf(app, draft)
  const save = useAppChange(() => client.console.apps.update(app.app_id, changes))
  const { of: errors, rest } = fieldErrors(save.error, fields)
  const isChanged = Object.keys(changes).length > 0
  return (
    <form
      className="flex max-w-2xl flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined, { onSuccess: (stored) => setDraft(draftOf(stored)) })
      }}
    >
      <Field label="Name" error={errors.app_name}>
        {(ids) => (
          <Input {...ids} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
        )}
      </Field>
      <Issuer app={app} draft={draft} onChange={change} errors={errors} />
      <div className="flex flex-col gap-2">
        <ListField
          label="Audiences"
          hint="One per line. To rotate, add the new audience, update your clients, then remove the old one. Users keep their identity."
          error={errors.allowed_audiences}
          text={draft.audiences}
          onText={(audiences) => change({ audiences })}
        />
        {app.allowed_audiences.includes(dynamic) && (
          <Warning>
            Any audience is accepted. Replace DYNAMIC with the audiences that you know. You cannot return to
            DYNAMIC later.
          </Warning>
        )}
      </div>
      <AlgorithmsField
        chosen={draft.algorithms}
        onChange={(algorithms) => change({ algorithms })}
        error={errors.alg_allowlist}
      />
      <Parent app={app} />
      {rest !== undefined && <ErrorNotice error={save.error} title="The settings were not saved" />}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" disabled={!isChanged} busy={save.isPending && 'Saving…'}>
          Save
        </Button>
        {isChanged && <Button onClick={() => setDraft(draftOf(app))}>Undo changes</Button>}
        <span role="status" className="text-fg-3">
          {!isChanged && save.isSuccess && 'Saved. It applies from the next call.'}
        </span>
      </div>
    </form>
  )
}

function Issuer({
  app,
  draft,
  onChange,
  errors,
}: {
  app: ApplicationDetail
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  errors: ReturnType<typeof fieldErrors<(typeof fields)[number]>>['of']
}) {
  if (app.issuer === dynamic) {
    return (
      <div className="flex flex-col gap-2">
        <ListField
          label="Accepted issuers"
          hint="One URL per line. If empty, any issuer is accepted, as named by the token (DYNAMIC)."
          error={errors.allowed_issuers}
          text={draft.issuers}
          onText={(issuers) => onChange({ issuers })}
          placeholder="https://login.example.com"
        />
        {app.allowed_issuers === null && (
          <Warning>
            Anybody who runs an identity provider can create users of this application. Enter the issuers that
            you know.
          </Warning>
        )}
      </div>
    )
  }
  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="font-medium">Issuer</span>
        <code className="break-all">{app.issuer}</code>
        <p className="text-sm text-fg-3">
          The issuer is part of each user’s identity and cannot be changed. For another identity provider,
          register another application.
        </p>
      </div>
      <Field
        label="JWKS URL"
        error={errors.jwks_uri}
        hint="jwks_uri; if empty, it is found through the issuer’s discovery document."
      >
        {(ids) => (
          <Input
            {...ids}
            type="url"
            value={draft.jwksUri}
            onChange={(event) => onChange({ jwksUri: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

/** The parent chat, which answers users beside their own files. */
function Parent({ app: { chat_id: chatId, project_id: projectId } }: { app: ApplicationDetail }) {
  const { data: chat } = useQuery(chatQuery(chatId))
  const settings = chat?.published_settings
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium">Parent chat</span>
      <Link to={`/projects/${projectId}/chats/${chatId}` as string} className="link self-start">
        {chat?.title ?? chatId}
      </Link>
      <p className="min-h-[18px] text-sm text-fg-3">
        {chat &&
          (settings
            ? `It answers with ${settings.selected_model} and ${settings.show_sources_to_users ? 'shows users its sources' : 'hides its sources from users'}.`
            : 'It is not published. Questions of users are rejected until it is.')}
      </p>
    </div>
  )
}
