import { CairnError, type CreateTrace } from '@cairn/contract'
import type { GuardedFetch } from '../../lib/guarded-fetch.ts'
import { sizeText } from '../../lib/size-text.ts'
import type { CaseCall, OpenTarget } from './targets.ts'

const maxBytes = 1024 * 1024

function fail(message: string): never {
  throw new CairnError('invalid_request', message)
}

/** The value at a path such as `data.0.text`; undefined if there is none. */
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
    fail(`the response has no ${path ?? 'output or answer'}; set output_path to the path of the output`)
  }
  return JSON.stringify(found)
}

/** Valid values about the call in the response, such as the model and the token counts. */
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
 * Sends `{"query": …}`, with `version` if the run has one, to an endpoint of the user by POST.
 * @throws OutgoingError; CairnError for a response without an output
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
  if (status < 200 || status >= 300) fail(`the endpoint responded with status ${status}`)
  if (truncated) fail(`the response of the endpoint is larger than ${sizeText(maxBytes)}`)
  const text = body.toString('utf8')
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(answered['content-type'] ?? '')
  if (!isJson) return { input: query, output: text }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    fail('the response of the endpoint is not valid JSON, although its content type is JSON')
  }
  return { input: query, output: outputOf(json, output_path), ...figuresOf(json) }
}
