import { useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ServerState } from '../features/server/index.ts'
import { client, serverAddress } from '../shared/client.ts'
import { sessionQuery } from '../shared/session.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { messageOf } from '../ui/states/error-notice.tsx'

export const SignInPage = createLazyRoute('/sign-in')({ component: SignIn })

/** The page to open after signing in; an address on another server is replaced by `/`. */
function safePath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'
}

/** Exchanges the admin token for a session cookie. */
function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      queryClient.setQueryData(sessionQuery.queryKey, await client.console.session.signIn(token.trim()))
      await navigate({ href: safePath(next), replace: true })
    } catch (failure) {
      setError(messageOf(failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="mx-auto flex min-h-full max-w-sm flex-col justify-center gap-6 p-6">
      <h1 className="flex items-center gap-2 text-xl font-semibold">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        Sign in to Cairn
      </h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {/* Password managers store the token under this name. */}
        <input type="text" autoComplete="username" value="administrator" readOnly hidden />
        <Field
          label="Admin token"
          error={error}
          hint={
            <>
              The content of the file <code>admin-token</code> in the data folder, or the value of{' '}
              <code>CAIRN_ADMIN_TOKEN</code>.
            </>
          }
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={busy && 'Signing in…'} disabled={token.trim() === ''}>
          Sign in
        </Button>
      </form>
      <footer className="flex flex-col gap-1 text-fg-3">
        <ServerState />
        <p>
          <code>{serverAddress}</code> ·{' '}
          <a className="link" href="/docs">
            API reference
          </a>
        </p>
      </footer>
    </main>
  )
}
