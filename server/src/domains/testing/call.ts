import { CairnError, type CreateTrace, type Target } from '@cairn/contract'
import { type GuardedFetch, OutgoingError } from '../../lib/guarded-fetch.ts'
import { estimateTokens, extractiveModel } from '../../models/catalogue.ts'
import type { ModelUsage } from '../../models/chat.ts'
import { ModelError } from '../../models/model-error.ts'
import type { Models } from '../../models/models.ts'
import { type AnsweringService, nothingFound, type PreparationService } from '../answering/index.ts'
import type { Meter } from '../credits/index.ts'
import type { Charge } from '../usage/index.ts'
import { callEndpoint } from './call-endpoint.ts'
import type { CaseCall, OpenTarget } from './targets.ts'

export interface CallDependencies {
  questions: PreparationService
  answering: AnsweringService
  models: Models
  meter: Pick<Meter, 'open'>
  fetch: GuardedFetch
  userAgent: string
}

type Usage = Pick<ModelUsage, 'prompt_tokens' | 'completion_tokens' | 'total_tokens'>

/** Tokens to reserve for an answer without a limit. */
const defaultTokens = 1000

/** A finished call: its trace, with the status `error` if it failed, and its charge if this server called a model. */
export interface TargetCall {
  trace: CreateTrace
  openCharge?: OpenCharge
}

/** A charge to write in the transaction of the trace. Close it afterwards. */
interface OpenCharge {
  charge: Omit<Charge, 'cost'>
  close(): void
}

/** Time for a call to end by itself after its time limit or an abort. */
const graceMs = 500

/**
 * Sends a query to a target. An error of the target is returned in the trace. It throws only if `signal` aborts; then the
 * caller must not store the call.
 */
export async function callTarget(
  open: OpenTarget,
  call: CaseCall,
  dependencies: CallDependencies,
  signal: AbortSignal,
): Promise<TargetCall> {
  const limit = AbortSignal.timeout(call.timeoutMs)
  const limitOrSignal = AbortSignal.any([limit, signal])
  const startedAt = performance.now()
  let result: TargetCall
  try {
    result = await untilAborted(dispatch(open, call, dependencies, limitOrSignal), limitOrSignal)
  } catch (error) {
    result = { trace: { input: call.query, output: '', status: 'error', error: describe(error) } }
  }
  signal.throwIfAborted()
  const latency_ms = Math.round((performance.now() - startedAt) * 1000) / 1000
  const timedOut = limit.aborted && result.trace.status === 'error'
  const trace = {
    ...result.trace,
    latency_ms,
    ...(timedOut && { error: `no answer within ${call.timeoutMs} ms` }),
  }
  return { ...result, trace }
}

async function dispatch(
  open: OpenTarget,
  call: CaseCall,
  dependencies: CallDependencies,
  signal: AbortSignal,
): Promise<TargetCall> {
  switch (open.target.type) {
    case 'chat':
      return callChat(open.target, call.query, dependencies, signal)
    case 'model':
      return callModel(open.target, call, dependencies, signal)
    case 'http':
      return { trace: await callEndpoint(open, call, dependencies, signal) }
    default:
      return { trace: callBuiltIn(call.query) }
  }
}

async function callChat(
  { chat_id = '', model, prompt, temperature, max_tokens }: Target,
  question: string,
  { questions, answering }: CallDependencies,
  signal: AbortSignal,
): Promise<TargetCall> {
  const prepared = await questions.prepare(chat_id, {
    question,
    ...(model !== undefined && { selected_model: model }),
    ...(prompt !== undefined && { custom_prompt: prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
  })
  const { trace, ...openCharge } = await answering.answerUnrecorded(prepared, signal)
  return { trace, openCharge }
}

const placeholder = /\{\{\s*query\s*\}\}/g

async function callModel(
  { model: name = '', prompt = '', temperature, max_tokens }: Target,
  { query, projectId }: CaseCall,
  { models, meter }: CallDependencies,
  signal: AbortSignal,
): Promise<TargetCall> {
  const model = models.exactly(name)
  if (!model) throw new CairnError('invalid_request', `no provider is configured for the model ${name}`)
  const isTemplate = prompt.search(placeholder) >= 0
  const content = isTemplate ? prompt.replace(placeholder, () => query) : query
  const system = isTemplate ? '' : prompt
  let output = ''
  let usage: ModelUsage | undefined
  const request = {
    system,
    messages: [{ role: 'user' as const, content }],
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
  }
  const common = { input: query, model: model.name }
  const promptTokens = estimateTokens(system + content)
  const payer = { projectId, chatId: null, appId: null, userId: null }
  const completionTokens = max_tokens ?? defaultTokens
  const reservation = await meter.open(payer, 'answer', {
    models: [model.name],
    promptTokens,
    completionTokens,
  })
  const chargeFor = (used: boolean, counts: Usage) => ({
    charge: reservation.charge(used ? { model: model.name, ...counts } : undefined),
    close: () => reservation.close(),
  })
  const counted = (): Usage => {
    const completion_tokens = estimateTokens(output)
    return { prompt_tokens: promptTokens, completion_tokens, total_tokens: promptTokens + completion_tokens }
  }
  try {
    for await (const part of model.stream(request, signal)) {
      if (part.type === 'text') output += part.text
      else usage = part.usage
    }
  } catch (error) {
    const trace = { ...common, output, status: 'error' as const, error: describe(error) }
    return { trace, openCharge: chargeFor(output !== '', counted()) }
  }
  const counts = usage ?? counted()
  return { trace: { ...common, output, token_usage: { ...counts } }, openCharge: chargeFor(true, counts) }
}

/** The built-in model answers only from documents. Without a chat there are none, so its answer is always the same. */
function callBuiltIn(query: string): CreateTrace {
  return { input: query, output: nothingFound, model: extractiveModel }
}

/** The error message for results and traces, without messages of a provider and without secrets. */
function describe(error: unknown): string {
  if (error instanceof ModelError) return `${error.message}: ${error.detail}`
  if (error instanceof CairnError || error instanceof OutgoingError) return error.message
  return 'the target could not be called'
}

/** Returns the result of the promise. Rejects half a second after the signal aborts, and then ignores the promise. */
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
