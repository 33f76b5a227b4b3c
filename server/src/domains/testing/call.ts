import { CairnError, type CreateTrace, type Target } from '@cairn/contract'
import { type GuardedFetch, OutgoingError } from '../../lib/guarded-fetch.ts'
import { estimateTokens, extractiveModel } from '../../models/catalogue.ts'
import { ModelError } from '../../models/model-error.ts'
import type { Models } from '../../models/models.ts'
import { type AnsweringService, answerExtractively } from '../answering/index.ts'
import { callEndpoint } from './call-endpoint.ts'
import type { CaseCall, OpenTarget } from './targets.ts'

export interface CallDependencies {
  answering: AnsweringService
  models: Models
  fetch: GuardedFetch
  userAgent: string
}

/** What a call leaves in the log: input, output and what is known of the rest; `status` error when it failed. */
export type CallTrace = CreateTrace

/** After the time is over, what a call gets to end by itself. */
const graceMs = 500

/**
 * Puts a query to a target. What goes wrong there is told in the trace; only when `signal` aborts does it throw, and
 * then nothing is to be kept of the call.
 */
export async function callTarget(
  open: OpenTarget,
  call: CaseCall,
  dependencies: CallDependencies,
  signal: AbortSignal,
): Promise<CallTrace> {
  const limit = AbortSignal.timeout(call.timeoutMs)
  const either = AbortSignal.any([limit, signal])
  const startedAt = performance.now()
  let trace: CallTrace
  try {
    trace = await untilAborted(dispatch(open, call, dependencies, either), either)
  } catch (error) {
    trace = { input: call.query, output: '', status: 'error', error: describe(error) }
  }
  signal.throwIfAborted()
  const latency_ms = Math.round((performance.now() - startedAt) * 1000) / 1000
  const timedOut = limit.aborted && trace.status === 'error'
  return {
    ...trace,
    latency_ms,
    ...(timedOut && { error: `no answer within ${call.timeoutMs} ms` }),
  }
}

function dispatch(
  open: OpenTarget,
  call: CaseCall,
  { answering, models, fetch, userAgent }: CallDependencies,
  signal: AbortSignal,
): Promise<CallTrace> {
  switch (open.target.type) {
    case 'chat':
      return callChat(open.target, call.query, answering, signal)
    case 'model':
      return callModel(open.target, call.query, models, signal)
    case 'http':
      return callEndpoint(open, call, { fetch, userAgent }, signal)
    default:
      return Promise.resolve(callBuiltIn(call.query))
  }
}

async function callChat(
  { chat_id = '', model, prompt, temperature, max_tokens }: Target,
  question: string,
  answering: AnsweringService,
  signal: AbortSignal,
): Promise<CallTrace> {
  const prepared = await answering.prepare(chat_id, {
    question,
    ...(model !== undefined && { selected_model: model }),
    ...(prompt !== undefined && { custom_prompt: prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
  })
  return answering.tryOut(prepared, signal)
}

const placeholder = /\{\{\s*query\s*\}\}/g

async function callModel(
  { model: name = '', prompt = '', temperature, max_tokens }: Target,
  query: string,
  models: Models,
  signal: AbortSignal,
): Promise<CallTrace> {
  const model = models.canRun(name) ? models.chat(name) : undefined
  if (!model) throw new CairnError('invalid_request', `no provider is configured for the model ${name}`)
  const isTemplate = prompt.search(placeholder) >= 0
  const content = isTemplate ? prompt.replace(placeholder, () => query) : query
  const system = isTemplate ? '' : prompt
  let output = ''
  let usage: CallTrace['token_usage']
  const request = {
    system,
    messages: [{ role: 'user' as const, content }],
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
  }
  const common = { input: query, model: model.name }
  try {
    for await (const part of model.stream(request, signal)) {
      if (part.type === 'text') output += part.text
      else usage = part.usage && { ...part.usage }
    }
  } catch (error) {
    return { ...common, output, status: 'error', error: describe(error) }
  }
  const [prompt_tokens, completion_tokens] = [estimateTokens(system + content), estimateTokens(output)]
  const estimate = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  return { ...common, output, token_usage: usage ?? estimate }
}

/** Without documents there is nothing to draw on, and it says so. */
function callBuiltIn(query: string): CallTrace {
  return { input: query, output: answerExtractively(query, []).answer, model: extractiveModel }
}

/** For the developer who reads results and traces: never what a provider wrote, nor a secret. */
function describe(error: unknown): string {
  if (error instanceof ModelError) return `${error.message}: ${error.detail}`
  if (error instanceof CairnError || error instanceof OutgoingError) return error.message
  return 'the target could not be called'
}

/** The promise, or a rejection soon after the signal aborts; it goes on unheard then. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
