import { Api } from './api.ts'
import { audience, type Issuer } from './issuer.ts'

export function appForm(issuer: string, fields: Record<string, string> = {}): URLSearchParams {
  const usual = { app_name: 'an app', issuer, allowed_audiences: JSON.stringify([audience]) }
  return new URLSearchParams({ ...usual, ...fields })
}

/** Registers an application; returns the response of the server. */
export async function registerApp(url: string, issuer: string, fields?: Record<string, string>) {
  return (await Api.admin(url).ok('POST', '/v1/console/apps/register', appForm(issuer, fields))).body
}

/** A client with an ID token and an application id. */
export function asUser(url: string, appId: string, token: string): Api {
  return new Api(url, { authorization: `Bearer ${token}`, 'x-app-id': appId })
}

export async function signIn(url: string, appId: string, issuer: Issuer, subject: string): Promise<Api> {
  return asUser(url, appId, await issuer.token(subject))
}
