/** The parts of a service account's JSON key that a token needs. */
export interface ServiceAccount {
  email: string
  projectId: string
  privateKey: string
  keyId: string | undefined
  tokenUrl: string
}

const googleTokens = 'https://oauth2.googleapis.com/token'

/** Whether a key is the JSON key of a service account, and not an API key. */
export function isServiceAccount(key: string): boolean {
  return key.trimStart().startsWith('{')
}

/** @throws Error with the missing field, and without any part of the key */
export function parseServiceAccount(json: string): ServiceAccount {
  let key: Record<string, unknown>
  try {
    key = JSON.parse(json) as Record<string, unknown>
  } catch {
    throw new Error('must be the JSON key of a service account, or an API key')
  }
  const text = (name: string) => {
    const value = key[name]
    if (typeof value === 'string' && value !== '') return value
    throw new Error(`must be the JSON key of a service account with ${name}`)
  }
  const tokenUrl = key.token_uri === undefined ? googleTokens : text('token_uri')
  if (!/^https?:$/.test(URL.canParse(tokenUrl) ? new URL(tokenUrl).protocol : ''))
    throw new Error('must be the JSON key of a service account with a URL as token_uri')
  return {
    email: text('client_email'),
    projectId: text('project_id'),
    privateKey: text('private_key'),
    keyId: typeof key.private_key_id === 'string' ? key.private_key_id : undefined,
    tokenUrl,
  }
}
