import { CairnError, limits, type TriedModel, type TryModel } from '@cairn/contract'
import { estimateTokens, extractiveModel } from '../../models/catalogue.ts'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import { creditsOf } from '../../models/credits.ts'
import { ModelError } from '../../models/model-error.ts'
import { computeCost, findPrice } from '../../models/prices.ts'
import { nothingFound } from '../answering/index.ts'
import type { CatalogueOptions } from './catalogue.ts'

const system = 'You are a helpful assistant.'
const usualTokens = 200

interface Said {
  output: string
  usage: ModelUsage | undefined
}

/** One short call of a model to see whether it works: no trace, no budget, no other model that steps in. */
export async function tryModel(options: CatalogueOptions, request: TryModel): Promise<TriedModel> {
  const startedMs = performance.now()
  const model = chosen(options, request.model)
  const said = model ? await call(model, request) : { ...builtIn(), usage: undefined }
  const latency = performance.now() - startedMs
  const name = model?.name ?? extractiveModel
  const prompt =
    said.usage?.prompt_tokens ?? estimateTokens(model ? `${system}\n${request.prompt}` : request.prompt)
  const completion = said.usage?.completion_tokens ?? estimateTokens(said.output)
  const tokens = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const multiplierOf = await options.multipliers()
  const price = findPrice(name, Date.now())
  return {
    model: name,
    output: said.output,
    latency_ms: Math.round(latency * 10) / 10,
    usage: { ...tokens, credits: creditsOf(tokens.total_tokens, multiplierOf(name)) },
    cost: price ? computeCost({ ...said.usage, ...tokens }, price) : null,
  }
}

/** Undefined for the built-in answerer. */
function chosen({ models, providers }: CatalogueOptions, name: string): ChatModel | undefined {
  if (name === extractiveModel) return undefined
  const known = models.list().find((model) => model.name === name)
  if (!known) throw new CairnError('invalid_request', 'model is none that this server knows')
  const model = models.exactly(name)
  if (model) return model
  const problem = providers.problemOf(known.provider)
  const reason = problem === undefined ? 'is not configured' : `cannot be called: ${problem}`
  throw new CairnError('conflict', `model is one of ${known.provider}, which ${reason}`)
}

/** The answerer knows documents only, and there are none. */
function builtIn(): { output: string } {
  return { output: nothingFound }
}

/** Throws `model_failed` with the provider's status and short code of the error, and nothing else of its words. */
async function call(model: ChatModel, { prompt, max_tokens, temperature }: TryModel): Promise<Said> {
  const limit = AbortSignal.timeout(limits.tryMs)
  const said: Said = { output: '', usage: undefined }
  const request = {
    system,
    messages: [{ role: 'user' as const, content: prompt }],
    maxTokens: max_tokens ?? usualTokens,
    ...(temperature != null && { temperature }),
  }
  try {
    for await (const part of model.stream(request, limit)) {
      if (part.type === 'text') said.output += part.text
      else said.usage = part.usage
    }
    return said
  } catch (error) {
    if (limit.aborted) {
      const seconds = limits.tryMs / 1000
      throw new CairnError('model_failed', `the model ${model.name} did not end within ${seconds} seconds`)
    }
    if (!(error instanceof ModelError)) throw error
    throw new CairnError('model_failed', `${error.message}: ${error.detail}`, { cause: error })
  }
}
