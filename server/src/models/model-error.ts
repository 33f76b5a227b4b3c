import { CairnError } from '@cairn/contract'

/** Why a model did not answer. */
export type ModelFailure =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'refused'
  | 'broken'
  | 'garbled'
  | 'empty'

const meanings: Record<ModelFailure, string> = {
  timeout: 'did not answer in time',
  unreachable: 'could not be reached',
  overloaded: 'is overloaded; try again later',
  refused: 'rejected the request',
  broken: 'failed',
  garbled: 'gave an answer that is not JSON',
  empty: 'answered with no text',
}

/** Whether the failure is temporary, so that another try may succeed. */
function passes(failure: ModelFailure): boolean {
  return ['unreachable', 'overloaded', 'broken', 'garbled'].includes(failure)
}

interface Options {
  /** Status and kind of the provider's error, for the log and traces. Contains no text of the provider. */
  detail?: string
  /** Milliseconds that the provider asks callers to wait. */
  retryAfterMs?: number | undefined
}

/** A call to a model failed. The message goes to callers and contains no text of the provider. */
export class ModelError extends CairnError {
  readonly failure: ModelFailure
  readonly detail: string
  readonly retryAfterMs: number | undefined
  readonly isRetryable: boolean

  constructor(model: string, failure: ModelFailure, options: Options = {}) {
    const { detail = meanings[failure], retryAfterMs } = options
    super('model_failed', `the model ${model} ${meanings[failure]}`, { cause: new Error(detail) })
    this.failure = failure
    this.detail = detail
    this.retryAfterMs = retryAfterMs
    this.isRetryable = passes(failure)
  }
}

interface Thrown {
  name: string
  /** Of an error event within a stream, which is an object of the provider. */
  type: string
  statusCode: number | undefined
  responseHeaders: Record<string, string> | undefined
  responseBody: string | undefined
}

/**
 * Converts an error of the SDK. SDK errors contain the request, the response and sometimes parts of the key, so only
 * the status and the provider's short error name are kept.
 */
export function toModelError(error: unknown, model: string): ModelError {
  if (error instanceof ModelError) return error
  const { name, type, statusCode, responseHeaders, responseBody } = (error ?? {}) as Partial<Thrown>
  if (statusCode === undefined || statusCode < 300) {
    const failure = name === 'AI_APICallError' && statusCode === undefined ? 'unreachable' : 'broken'
    return new ModelError(model, failure, {
      detail: `${failure}: ${shortName(name) ?? shortName(type) ?? 'unknown error'}`,
    })
  }
  const code = codeIn(responseBody)
  const detail = `the provider answered ${statusCode}${code ? ` (${code})` : ''}`
  // An account without credit also gets 429; another try does not help.
  const isLimited = (statusCode === 429 || statusCode === 529) && code !== 'insufficient_quota'
  if (isLimited) {
    return new ModelError(model, 'overloaded', { detail, retryAfterMs: retryAfter(responseHeaders) })
  }
  const isBroken = statusCode >= 500 || statusCode === 408
  return new ModelError(model, isBroken ? 'broken' : 'refused', {
    detail,
    retryAfterMs: retryAfter(responseHeaders),
  })
}

/** Accepts words without digits only, because a key has digits. */
function shortName(text: unknown): string | undefined {
  return typeof text === 'string' && /^(?=.{1,60}$)[A-Za-z]+(?:[_.-][A-Za-z]+)*$/.test(text)
    ? text
    : undefined
}

/** `error.code`, `.type` or `.status` of a provider's error body. */
function codeIn(body: string | undefined): string | undefined {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: Record<string, unknown> }
    return shortName(error?.code) ?? shortName(error?.type) ?? shortName(error?.status)
  } catch {
    return undefined
  }
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
