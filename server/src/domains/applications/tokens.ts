import { CairnError, dynamic, limits } from '@cairn/contract'
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import { type KeySets, KeysUnavailable } from './key-sets.ts'
import type { ApplicationRow } from './store.ts'

/** The claims of a valid token that identify its user. */
export interface TokenIdentity {
  issuer: string
  /** Sorted, without repetition. */
  audience: readonly string[]
  subject: string
}

/** Tolerated difference between the clocks of the provider and this server. */
const clockToleranceSeconds = 60
const maxSubjectLength = 10_000

function unauthorized(reason: string, cause?: unknown): CairnError {
  return new CairnError('invalid_credentials', `Unauthorized: ${reason}`, { cause })
}

function invalidToken(cause?: unknown): CairnError {
  return unauthorized('the token is invalid', cause)
}

/**
 * Validates an ID token against an application's registration (OpenID Connect Core 1.0, section 3.1.3.7). The header of the
 * token only selects a key of the issuer; keys and addresses in the header are ignored.
 * @throws `invalid_credentials`, whose message gives a reason only for an expired token; `identity_provider_unavailable`
 * if a registered issuer does not return its keys
 */
export async function checkIdToken(
  token: string,
  app: ApplicationRow,
  keySets: KeySets,
): Promise<TokenIdentity> {
  if (token.length > limits.idTokenLength) throw invalidToken()
  const issuer = app.issuer === dynamic ? unverifiedIssuer(token, app.allowed_issuers) : app.issuer
  const isRegistered = app.issuer !== dynamic
  const source = { issuer, jwksUri: app.jwks_uri, isRegistered, appId: app.app_id }
  try {
    const { payload } = await jwtVerify(token, (header, input) => keySets.find(source, header, input), {
      algorithms: [...app.alg_allowlist],
      issuer,
      ...(!isDynamic(app.allowed_audiences) && { audience: [...app.allowed_audiences] }),
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'sub', 'aud'],
    })
    return identityOf(issuer, payload)
  } catch (error) {
    if (error instanceof CairnError) throw error
    if (error instanceof errors.JWTExpired) throw unauthorized('the token has expired')
    if (error instanceof KeysUnavailable && source.isRegistered) {
      const message = "the application's identity provider does not respond; try again in a moment"
      throw new CairnError('identity_provider_unavailable', message, { retryAfter: 5, cause: error.cause })
    }
    throw invalidToken(error)
  }
}

export function isDynamic(audiences: readonly string[]): boolean {
  return audiences.includes(dynamic)
}

/** The issuer claim of a token whose signature is not verified yet. */
function unverifiedIssuer(token: string, allowed: readonly string[] | null): string {
  let issuer: unknown
  try {
    issuer = decodeJwt(token).iss
  } catch (error) {
    throw invalidToken(error)
  }
  if (typeof issuer !== 'string' || !URL.canParse(issuer) || !(allowed?.includes(issuer) ?? true)) {
    throw invalidToken()
  }
  return issuer
}

function identityOf(issuer: string, { sub: subject, aud }: JWTPayload): TokenIdentity {
  if (typeof subject !== 'string' || subject === '' || subject.length > maxSubjectLength) throw invalidToken()
  const audience = [...new Set([aud].flat())].filter((one): one is string => typeof one === 'string')
  if (audience.length === 0) throw invalidToken()
  return { issuer, audience: audience.sort(), subject }
}
