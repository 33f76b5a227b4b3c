// An OpenID Connect provider for tests: it accepts any user name. Never make it reachable for others.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Configuration, Provider } from 'oidc-provider'

const { PORT = '9000', CLIENT_ID = 'notes', REDIRECT_URI = 'http://127.0.0.1:8100/' } = process.env

/** Puts HTML into a page. */
function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A provider for trying</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}input,button{font:inherit}</style>
<h1>A provider for trying</h1>${content}</html>`
}

const signInForm = page(`<form method="post">
  <p><label>Your name <input name="name" required pattern="[a-z]+" title="small letters" autofocus></label></p>
  <button>Continue</button> <button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`)

const configuration: Configuration = {
  clients: [
    {
      client_id: CLIENT_ID,
      // A page in a browser cannot keep a secret, so PKCE replaces it.
      token_endpoint_auth_method: 'none',
      redirect_uris: [REDIRECT_URI],
      post_logout_redirect_uris: [REDIRECT_URI],
    },
  ],
  pkce: { required: () => true },
  clientBasedCORS: (_, origin) => origin === new URL(REDIRECT_URI).origin,
  claims: { openid: ['sub'], profile: ['name'] },
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
  // Consent is granted without asking the user.
  async loadExistingGrant({ oidc }) {
    const accountId = oidc.session?.accountId
    const clientId = oidc.client?.clientId
    if (!accountId || !clientId) return undefined
    const grant = new oidc.provider.Grant({ accountId, clientId })
    grant.addOIDCScope('openid profile')
    await grant.save()
    return grant
  },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource(context, form) {
        const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>'
        context.body = page(`${form}${button}`)
      },
    },
  },
  interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
  ttl: { IdToken: 3600, AccessToken: 3600, Session: 86_400, Grant: 86_400, Interaction: 3600 },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  jwks: {
    keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })],
  },
}

async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(signInForm)
    return
  }
  const form = new URLSearchParams(await text(request))
  const result = form.has('cancel')
    ? { error: 'access_denied', error_description: 'The sign-in was cancelled.' }
    : { login: { accountId: form.get('name') ?? '' } }
  await provider.interactionFinished(request, response, result)
}

const server = createServer((request, response) => {
  if (!request.url?.startsWith('/sign-in/')) return handle(request, response)
  signIn(request, response).catch((error) => response.writeHead(400).end(String(error)))
})
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, configuration)
const handle = provider.callback()
console.log(`listening on ${issuer}`)
