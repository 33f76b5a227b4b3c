import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { ListField } from './list-field.tsx'
import type { Draft, registrationFields } from './registration.ts'
import { Warning } from './warning.tsx'

type Errors = Partial<Record<(typeof registrationFields)[number], string>>

/** Fields for the accepted issuer and audiences of ID tokens. */
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
          hint="URL of your identity provider, exactly as in the claim iss of its tokens."
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
          Any issuer, as named by the token (DYNAMIC)
        </Checkbox>
        {draft.anyIssuer && (
          <Warning>
            Anybody who runs an identity provider can create users of this application. Enter the issuers that
            you know in the settings before you publish the application.
          </Warning>
        )}
      </div>
      {!draft.anyIssuer && (
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
            hint="One per line: the client ids in the claim aud of the tokens."
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
          Any audience, as named by the token (DYNAMIC)
        </Checkbox>
        {draft.anyAudience && (
          <Warning>
            The audience becomes part of the user’s identity: the same person with a token for another
            audience is another user with other files. This cannot be changed later.
          </Warning>
        )}
      </div>
    </>
  )
}
