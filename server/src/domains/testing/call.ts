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

/** What an answer is expected to take where nothing limits it. */
const defaultTokens = 1000

/** What a call leaves in the log: input, output and what is known of the rest; `status` error when it failed. */
type CallTrace = CreateTrace

/** A call that was made, and what it comes to where a model of the server's own was called. */
export interface TargetCall {
  trace: CallTrace
  openCharge?: OpenCharge
}

/** A charge that is written together with the trace, and closed then. */
interface OpenCharge {
  charge: Omit<Charge, 'cost'>
  close(): void
}

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
): Promise<TargetCall> {
  const limit = AbortSignal.timeout(call.timeoutMs)
  const either = AbortSignal.any([limit, signal])
  const startedAt = performance.now()
  let made: TargetCall
  try {
    made = await untilAborted(dispatch(open, call, dependencies, either), either)
  } catch (error) {
    made = { trace: { input: call.query, output: '', status: 'error', error: describe(error) } }
  }
  signal.throwIfAborted()
  const latency_ms = Math.round((performance.now() - startedAt) * 1000) / 1000
  const timedOut = limit.aborted && made.trace.status === 'error'
  const trace = {
    ...made.trace,
    latency_ms,
    ...(timedOut && { error: `no answer within ${call.timeoutMs} ms` }),
  }
  return { ...made, trace }
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

/** Without documents there is nothing to draw on, and it says so. */
function callBuiltIn(query: string): CallTrace {
  return { input: query, output: nothingFound, model: extractiveModel }
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
