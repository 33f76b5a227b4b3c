import { CairnError, limits, type TriedModel, type TryModel } from '@cairn/contract'
import { estimateTokens, extractiveModel } from '../../models/catalogue.ts'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import { creditsOf } from '../../models/credits.ts'
import { ModelError } from '../../models/model-error.ts'
import { computeCost, findPrice } from '../../models/prices.ts'
import { nothingFound } from '../answering/index.ts'
import type { CatalogueOptions } from './catalogue.ts'

const system = 'You are a helpful assistant.'
const defaultMaxTokens = 200

interface Reply {
  output: string
  usage: ModelUsage | undefined
}

/** Tests a model with one short call, without a trace, a budget or a fallback model. */
export async function tryModel(options: CatalogueOptions, request: TryModel): Promise<TriedModel> {
  const startedMs = performance.now()
  const model = chosen(options, request.model)
  const reply = model ? await call(model, request) : { ...builtIn(), usage: undefined }
  const latency = performance.now() - startedMs
  const name = model?.name ?? extractiveModel
  const prompt =
    reply.usage?.prompt_tokens ?? estimateTokens(model ? `${system}\n${request.prompt}` : request.prompt)
  const completion = reply.usage?.completion_tokens ?? estimateTokens(reply.output)
  const tokens = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const multiplierOf = await options.multipliers()
  const price = findPrice(name, Date.now())
  return {
    model: name,
    output: reply.output,
    latency_ms: Math.round(latency * 10) / 10,
    usage: { ...tokens, credits: creditsOf(tokens.total_tokens, multiplierOf(name)) },
    cost: price ? computeCost({ ...reply.usage, ...tokens }, price) : null,
  }
}

/**
 * The requested model; undefined for the built-in model.
 * @throws `invalid_request` for an unknown model, `conflict` without its provider
 */
function chosen({ models, providers }: CatalogueOptions, name: string): ChatModel | undefined {
  if (name === extractiveModel) return undefined
  const known = models.list().find((model) => model.name === name)
  if (!known)
    throw new CairnError(
      'invalid_request',
      'model is unknown to this server; GET /v1/console/models lists the known models',
    )
  const model = models.exactly(name)
  if (model) return model
  const problem = providers.problemOf(known.provider)
  const reason = problem === undefined ? 'is not configured' : `cannot be called: ${problem}`
  throw new CairnError('conflict', `model belongs to the provider ${known.provider}, which ${reason}`)
}

/** The built-in model answers only from documents, and a test call has none. */
function builtIn(): { output: string } {
  return { output: nothingFound }
}

/** @throws `model_failed` with the status and the error code of the provider, but without its message */
async function call(model: ChatModel, { prompt, max_tokens, temperature }: TryModel): Promise<Reply> {
  const limit = AbortSignal.timeout(limits.tryMs)
  const reply: Reply = { output: '', usage: undefined }
  const request = {
    system,
    messages: [{ role: 'user' as const, content: prompt }],
    maxTokens: max_tokens ?? defaultMaxTokens,
    ...(temperature != null && { temperature }),
  }
  try {
    for await (const part of model.stream(request, limit)) {
      if (part.type === 'text') reply.output += part.text
      else reply.usage = part.usage
    }
    return reply
  } catch (error) {
    if (limit.aborted) {
      const seconds = limits.tryMs / 1000
      throw new CairnError('model_failed', `the model ${model.name} did not end within ${seconds} seconds`)
    }
    if (!(error instanceof ModelError)) throw error
    throw new CairnError('model_failed', `${error.message}: ${error.detail}`, { cause: error })
  }
}
