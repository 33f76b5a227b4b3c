import { CairnError, type CreateScore, type JudgeRequest, type JudgeResult } from '@cairn/contract'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { estimateTokens } from '../../models/catalogue.ts'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import type { Models } from '../../models/models.ts'
import type { Meter } from '../credits/index.ts'
import type { Pricing } from '../prices/index.ts'
import type { ScoreOrigin } from '../scores/index.ts'
import {
  expectedOf,
  localScorers,
  modelSlugs,
  type ScoredTexts,
  type ScoreResult,
  type TraceTexts,
} from './local/index.ts'
import type { LocalScorers } from './local-scorers.ts'
import { builtInNeeds, customNeeds, requireFields } from './needs.ts'
import { builtInPrompt, customPrompt, type ScorerPrompt, type TextField } from './prompt.ts'
import { maxScorerTokens, scoreByModel } from './score-by-model.ts'
import { choicesOf } from './service.ts'
import type { ScorerRow, ScorerStore } from './store.ts'

interface Options {
  store: ScorerStore
  models: Models
  local: Pick<LocalScorers, 'score' | 'scoreInBackground'>
  /** Limits concurrent answers by models; requests to score an output count among them. */
  modelAnswers: FairQueue
  traces: { get(projectId: string, traceId: string): Promise<TraceTexts> }
  scores: {
    create(projectId: string, traceId: string, score: CreateScore, origin: ScoreOrigin): Promise<unknown>
  }
  pricing: (projectId: string) => Promise<Pricing>
  meter: Pick<Meter, 'open' | 'charge'>
}

/** A score by a model, with the usage of its calls. */
export interface ModelScore extends ScoreResult {
  usages: readonly ModelUsage[]
}

/** A scorer with its model, for any number of outputs. */
export interface ReadyScorer {
  readonly slug: string
  /** Required fields besides the output. */
  readonly needs: readonly TextField[]
  /** Undefined for a local method. */
  readonly byModel:
    | { name: string; score(texts: ScoredTexts, signal?: AbortSignal): Promise<ModelScore> }
    | undefined
}

/**
 * Scores one output, and can store the score on its trace. Scoring writes no trace of its own and changes no metric. Calls
 * to a model count as usage of the project.
 */
export class ScoringService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Scores an output, and stores the score if the request names a trace.
   * @throws `not_found` for an unknown scorer or trace, `invalid_request` without a required field, `model_failed`,
   * `budget_exceeded`
   */
  async scoreAndStore(projectId: string, request: JudgeRequest): Promise<JudgeResult> {
    const { trace_id } = request
    const { cost, ...result } = await this.score(projectId, request)
    if (trace_id != null) {
      const { scorer, method, model } = result
      const score = { name: scorer, value: result.score, comment: result.reasoning }
      await this.#options.scores.create(projectId, trace_id, score, {
        source: 'judge',
        scorer,
        method,
        model,
        cost,
      })
    }
    return result
  }

  /**
   * Scores an output without storing the score. `cost` is the cost of the calls to a model in USD, null if it is unknown.
   * With a signal, it is background work, which uses other queues than requests.
   */
  async score(
    projectId: string,
    request: JudgeRequest,
    signal?: AbortSignal,
  ): Promise<JudgeResult & { cost: number | null }> {
    const { scorer_slug: scorer } = request
    const row = localScorers.has(scorer) ? undefined : await this.#find(projectId, scorer, 'scorer_slug')
    const texts = await this.#textsOf(projectId, request)
    requireFields(scorer, row ? customNeeds(row) : builtInNeeds(scorer), texts, row !== undefined)
    const { byModel } = this.#ready(projectId, scorer, row, 'scorer_slug')
    const { local, modelAnswers } = this.#options
    const runLocally = () =>
      signal
        ? local.scoreInBackground(projectId, scorer, texts, signal)
        : local.score(projectId, scorer, texts)
    const { usages, score, reasoning } = byModel
      ? await (signal
          ? byModel.score(texts, signal)
          : modelAnswers.run([projectId], () => byModel.score(texts)))
      : { ...(await runLocally()), usages: [] }
    const method = byModel ? 'model' : 'local'
    const model = byModel?.name ?? null
    return { score, reasoning, scorer, method, model, cost: await this.costOf(projectId, model, usages) }
  }

  /** Scores with the local method of a built-in scorer, even if a model is configured. For background work. */
  scoreLocally(
    projectId: string,
    scorer: string,
    texts: ScoredTexts,
    signal: AbortSignal,
  ): Promise<ScoreResult> {
    return this.#options.local.scoreInBackground(projectId, scorer, texts, signal)
  }

  /** Whether a scorer exists: a built-in one, or one of the project. */
  async has(projectId: string, slug: string): Promise<boolean> {
    return localScorers.has(slug) || (await this.#options.store.find(projectId, slug)) !== undefined
  }

  /** @throws `not_found` for an unknown scorer, `invalid_request` if it needs a model and no provider is configured */
  async open(projectId: string, slug: string): Promise<ReadyScorer> {
    const row = localScorers.has(slug) ? undefined : await this.#find(projectId, slug, 'scorer')
    return this.#ready(projectId, slug, row, 'scorer')
  }

  /** The cost of calls in USD; null without calls, or if the price is unknown. */
  async costOf(
    projectId: string,
    model: string | null,
    usages: readonly ModelUsage[],
  ): Promise<number | null> {
    if (model === null || usages.length === 0) return null
    const pricing = await this.#options.pricing(projectId)
    const costs = usages.map((usage) => pricing(model, { ...usage }, Date.now()))
    return costs.some((cost) => cost === null)
      ? null
      : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
  }

  /** `field` is the name of the request field, for the error message. */
  async #find(projectId: string, slug: string, field: string): Promise<ScorerRow> {
    const row = await this.#options.store.find(projectId, slug)
    if (!row) throw new CairnError('not_found', `${field}: there is no scorer ${slug.slice(0, 64)}`)
    return row
  }

  async #textsOf(projectId: string, request: JudgeRequest): Promise<ScoredTexts> {
    const { trace_id, input, output, expected_output } = request
    const trace = trace_id == null ? undefined : await this.#options.traces.get(projectId, trace_id)
    const givenOutput = output ?? trace?.output
    if (givenOutput === undefined) {
      throw new CairnError('invalid_request', 'output is required without trace_id')
    }
    return {
      input: input ?? trace?.input,
      output: givenOutput,
      expected_output: expected_output ?? (trace && expectedOf(trace)),
    }
  }

  #ready(projectId: string, slug: string, row: ScorerRow | undefined, field: string): ReadyScorer {
    return row ? this.#readyCustom(projectId, row, field) : this.#readyBuiltIn(projectId, slug)
  }

  #readyBuiltIn(projectId: string, slug: string): ReadyScorer {
    const model = modelSlugs.has(slug) ? this.#options.models.chat('') : undefined
    const byModel = model && {
      name: model.name,
      score: (texts: ScoredTexts, signal?: AbortSignal) =>
        this.#scoreByModel(projectId, model, builtInPrompt(slug, texts), undefined, signal),
    }
    return { slug, needs: builtInNeeds(slug), byModel }
  }

  #readyCustom(projectId: string, row: ScorerRow, field: string): ReadyScorer {
    const model = this.#options.models.chat(row.model ?? '')
    if (!model) {
      throw new CairnError(
        'invalid_request',
        `${field}: the scorer ${row.slug} needs a model, and no model provider is configured on this server`,
      )
    }
    const choices = choicesOf(row)
    return {
      slug: row.slug,
      needs: customNeeds(row),
      byModel: {
        name: model.name,
        score: (texts, signal) =>
          this.#scoreByModel(
            projectId,
            model,
            customPrompt(row.prompt, Object.keys(choices), texts),
            choices,
            signal,
          ),
      },
    }
  }

  /** Charges also calls without a usable answer, because the provider charges them, too. */
  async #scoreByModel(
    projectId: string,
    model: ChatModel,
    prompt: ScorerPrompt,
    choices?: Record<string, number>,
    signal?: AbortSignal,
  ): Promise<ModelScore> {
    const payer = { projectId, chatId: null, appId: null, userId: null }
    const reservation = await this.#options.meter.open(payer, 'judge', {
      models: [model.name],
      promptTokens: estimateTokens(prompt.system + prompt.user),
      completionTokens: maxScorerTokens,
    })
    const usages: ModelUsage[] = []
    try {
      return { ...(await scoreByModel(model, prompt, usages, choices, signal)), usages }
    } finally {
      const used = usages.length > 0 ? { model: model.name, ...sumOf(usages) } : undefined
      const cost = await this.costOf(projectId, model.name, usages)
      const charge = { ...reservation.charge(used), cost }
      await this.#options.meter.charge(charge).finally(() => reservation.close())
    }
  }
}

function sumOf(usages: readonly ModelUsage[]) {
  const sum = (name: 'prompt_tokens' | 'completion_tokens' | 'total_tokens') =>
    usages.reduce((total, usage) => total + usage[name], 0)
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  }
}
