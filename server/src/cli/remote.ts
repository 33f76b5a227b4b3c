import { CairnApiError, type Client, createClient } from '@cairn/sdk'
import { RemoteError, UsageError } from './usage.ts'

/** Options of every command that calls a server. */
export const remoteOptions = { url: { type: 'string' }, project: { type: 'string' } } as const

/** One project on one server. */
export interface Remote {
  url: string
  projectId: string
  client: Client
}

const keyForm = /^[\x21-\x7e]+$/

function addressOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--url or CAIRN_URL must be an address such as http://127.0.0.1:8000')
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url or CAIRN_URL must not hold a password; the key is taken from CAIRN_API_KEY')
  }
  return given
}

/** The key is read from the environment only, because other users can see command lines. It is never shown. */
function keyOf(environment: NodeJS.ProcessEnv): string {
  const key = environment.CAIRN_API_KEY?.trim()
  if (!key) {
    throw new RemoteError(
      'no API key: set CAIRN_API_KEY to a key of the project (the console makes them, and "cairn keys create")',
    )
  }
  if (!keyForm.test(key)) throw new RemoteError('CAIRN_API_KEY holds characters that no key has')
  return key
}

/** @throws UsageError, RemoteError */
export function connect(
  { url, project }: { url?: string | undefined; project?: string | undefined },
  environment: NodeJS.ProcessEnv = process.env,
): Remote {
  const baseUrl = addressOf(url ?? (environment.CAIRN_URL || 'http://127.0.0.1:8000'))
  const projectId = project ?? environment.CAIRN_PROJECT_ID?.trim()
  if (!projectId) throw new UsageError('name the project by --project or CAIRN_PROJECT_ID')
  const apiKey = keyOf(environment)
  const client = createClient({ baseUrl, apiKey, retry: { retries: 10, maxWaitSeconds: 60, onlyBusy: true } })
  return { url: baseUrl, projectId, client }
}

/** Whether the server could not be reached. */
export function isUnreachable(error: unknown): error is TypeError {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')
}

function codeOf(error: TypeError): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
}

function explain(error: unknown, { url, projectId }: Remote): string | undefined {
  if (isUnreachable(error)) {
    return `no server responds at ${url}${codeOf(error)}: start it, or name another one with --url or CAIRN_URL`
  }
  if (error instanceof SyntaxError) return `the server at ${url} is not a Cairn server`
  if (!(error instanceof CairnApiError)) return undefined
  if (error.status === 401) return `the server at ${url} rejects the key in CAIRN_API_KEY`
  if (error.status === 403) {
    return `the key in CAIRN_API_KEY lacks the permission for this in the project ${projectId}: ${error.message}`
  }
  return error.message
}

/** Makes calls. An error response becomes a RemoteError whose message says what to do. */
export async function calling<T>(remote: Remote, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const message = explain(error, remote)
    throw message === undefined ? error : new RemoteError(message)
  }
}
