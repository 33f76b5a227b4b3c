import * as oauth from 'oauth4webapi'

/**
 * The signed-in user. The session is kept in memory only: after a reload the user signs in again, with one click while
 * the provider's session lasts.
 *
 * @typedef {{ idToken: string, name: string }} Session
 * @typedef {{ issuer: string, clientId: string }} Provider
 */

/** Survives the redirect to the provider and back. Its content is useless without the code from the provider. */
const pendingKey = 'pending-sign-in'

/** The address of this page, as registered with the provider. */
const here = location.origin + location.pathname

/** @param {Provider} provider */
async function discover({ issuer, clientId }) {
  const url = new URL(issuer)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  const options = { [oauth.allowInsecureRequests]: isLoopback }
  const response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oidc' })
  const server = await oauth.processDiscoveryResponse(url, response)
  return { server, client: { client_id: clientId }, options }
}

/**
 * Redirects to the provider; the page ends here.
 *
 * @param {Provider} provider
 */
export async function beginSignIn(provider) {
  const { server, client } = await discover(provider)
  if (!server.authorization_endpoint) throw new Error('The identity provider has no page to sign in.')
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
  }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams([
    ...url.searchParams,
    ['response_type', 'code'],
    ['client_id', client.client_id],
    ['redirect_uri', here],
    ['scope', 'openid profile'],
    ['code_challenge', await oauth.calculatePKCECodeChallenge(pending.verifier)],
    ['code_challenge_method', 'S256'],
    ['state', pending.state],
    ['nonce', pending.nonce],
  ]).toString()
  location.assign(url)
}

/**
 * Reads the provider's response, if the provider has redirected to this page.
 *
 * @param {Provider} provider
 * @returns {Promise<Session | undefined>}
 */
export async function finishSignIn(provider) {
  const answer = new URL(location.href)
  if (!answer.searchParams.has('code') && !answer.searchParams.has('error')) return undefined
  // Removes the code from the address bar and the history, so that a reload does not send it twice.
  history.replaceState(null, '', here)
  const stored = sessionStorage.getItem(pendingKey)
  sessionStorage.removeItem(pendingKey)
  if (!stored) throw new Error('That sign-in was not begun on this page. Please sign in again.')
  const { verifier, state, nonce } = JSON.parse(stored)

  const { server, client, options } = await discover(provider)
  const parameters = oauth.validateAuthResponse(server, client, answer, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    here,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!tokens.id_token || !claims) throw new Error('The identity provider sent no ID token.')
  return { idToken: tokens.id_token, name: String(claims.name ?? claims.email ?? claims.sub) }
}

/**
 * Ends the session at the provider too, if the provider supports it; the page ends here. `id_token_hint` is left out,
 * because it would put the token into an address; the provider asks the user instead.
 *
 * @param {Provider} provider
 */
export async function signOut(provider) {
  const { server, client } = await discover(provider)
  if (!server.end_session_endpoint) return location.reload()
  const url = new URL(server.end_session_endpoint)
  url.searchParams.set('client_id', client.client_id)
  url.searchParams.set('post_logout_redirect_uri', here)
  location.assign(url)
}

/**
 * The provider's error description, if there is one.
 *
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return error.error_description ?? error.error
  }
  return error instanceof Error ? error.message : String(error)
}
