import { CairnError, type CreateTrace } from '@cairn/contract'
import type { GuardedFetch } from '../../lib/guarded-fetch.ts'
import type { CaseCall, OpenTarget } from './targets.ts'

const maxBytes = 1024 * 1024

function fail(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** The value at `data.0.text`; undefined where the path leads nowhere. */
function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => {
    const isInside = typeof at === 'object' && at !== null && Object.hasOwn(at, step)
    return isInside ? (at as Record<string, unknown>)[step] : undefined
  }, value)
}

function outputOf(json: unknown, path: string | undefined): string {
  const found =
    path === undefined ? (valueAt(json, 'output') ?? valueAt(json, 'answer')) : valueAt(json, path)
  if (typeof found === 'string') return found
  if (typeof json === 'string' && path === undefined) return json
  if (found === undefined || found === null) {
    fail(`the answer has no ${path ?? 'output or answer'}; name its place with output_path`)
  }
  return JSON.stringify(found)
}

/** What the endpoint says about its own call, as far as it makes sense. */
function figuresOf(json: unknown): Partial<CreateTrace> {
  const [cost, model, usage] = ['cost', 'model', 'token_usage'].map((name) => valueAt(json, name))
  const isAmount = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1e15
  const counts = typeof usage === 'object' && usage !== null ? Object.entries(usage) : []
  const tokens = counts.filter(([, value]) => isAmount(value))
  return {
    ...(isAmount(cost) && { cost: cost as number }),
    ...(typeof model === 'string' && { model: model.slice(0, 200) }),
    ...(tokens.length > 0 && { token_usage: Object.fromEntries(tokens) }),
  }
}

/**
 * Posts `{"query": …}` (with `version` where the run has one) to an endpoint of the user's. Throws OutgoingError, and
 * CairnError for an answer that holds no output.
 */
export async function callEndpoint(
  { target: { url = '', output_path }, headers }: OpenTarget,
  { query, version, timeoutMs }: CaseCall,
  { fetch, userAgent }: { fetch: GuardedFetch; userAgent: string },
  signal: AbortSignal,
): Promise<CreateTrace> {
  const {
    status,
    headers: answered,
    body,
    truncated,
  } = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/plain',
      'user-agent': userAgent,
      ...headers,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query, ...(version !== null && { version }) }),
    maxBytes,
    totalMs: timeoutMs,
    signal,
  })
  if (status < 200 || status >= 300) fail(`the endpoint answered ${status}`)
  if (truncated) fail(`the answer of the endpoint is larger than ${maxBytes} bytes`)
  const text = body.toString('utf8')
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(answered['content-type'] ?? '')
  if (!isJson) return { input: query, output: text }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    fail('the answer of the endpoint says that it is JSON and is not')
  }
  return { input: query, output: outputOf(json, output_path), ...figuresOf(json) }
}
