import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { ListField } from './list-field.tsx'
import type { Draft, registrationFields } from './registration.ts'
import { Warning } from './warning.tsx'

type Errors = Partial<Record<(typeof registrationFields)[number], string>>

/** Whose tokens are accepted, and for whom they may be. */
export function TokenFields({
  draft,
  onChange,
  errors,
}: {
  draft: Draft
  onChange: (changes: Partial<Draft>) => void
  errors: Errors
}) {
  return (
    <>
      <div className="flex flex-col gap-2">
        <Field
          label="Issuer"
          error={errors.issuer}
          hint="URL of your identity provider, as its tokens name it in iss."
        >
          {(ids) => (
            <Input
              {...ids}
              type="url"
              disabled={draft.anyIssuer}
              value={draft.anyIssuer ? 'DYNAMIC' : draft.issuer}
              placeholder="https://login.example.com"
              onChange={(event) => onChange({ issuer: event.target.value })}
            />
          )}
        </Field>
        <Checkbox
          checked={draft.anyIssuer}
          onChange={(event) => onChange({ anyIssuer: event.target.checked })}
        >
          Any issuer (DYNAMIC): taken from the tokens
        </Checkbox>
        {draft.anyIssuer && (
          <Warning>
            Anybody who runs an identity provider can make users of this application. Pin the issuers that you
            know in its settings before it is public.
          </Warning>
        )}
      </div>
      {!draft.anyIssuer && (
        <Field
          label="Key set address"
          error={errors.jwks_uri}
          hint="jwks_uri; leave it empty to find it through the issuer’s discovery document."
        >
          {(ids) => (
            <Input
              {...ids}
              type="url"
              value={draft.jwksUri}
              placeholder="https://login.example.com/keys"
              onChange={(event) => onChange({ jwksUri: event.target.value })}
            />
          )}
        </Field>
      )}
      <div className="flex flex-col gap-2">
        {!draft.anyAudience && (
          <ListField
            label="Audiences"
            hint="One a line: the client ids that tokens are issued for, in aud."
            error={errors.allowed_audiences}
            text={draft.audiences}
            onText={(audiences) => onChange({ audiences })}
            placeholder="my-client-id"
          />
        )}
        <Checkbox
          checked={draft.anyAudience}
          onChange={(event) => onChange({ anyAudience: event.target.checked })}
        >
          Any audience (DYNAMIC): taken from the tokens
        </Checkbox>
        {draft.anyAudience && (
          <Warning>
            The audience becomes part of who a user is: the same person with tokens for another audience is
            another user, with other files. That stays so, also when audiences are pinned later.
          </Warning>
        )}
      </div>
    </>
  )
}
