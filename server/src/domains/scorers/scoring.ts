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
  gradedSlugs,
  type Judged,
  type Judgement,
  localJudges,
  type TraceTexts,
} from './local/index.ts'
import type { LocalJudges } from './local-scorers.ts'
import { builtInNeeds, customNeeds, refuseMissing } from './needs.ts'
import { builtInPrompt, customPrompt, type JudgedField, type JudgePrompt } from './prompt.ts'
import { gradeByModel, judgeTokens } from './score-by-model.ts'
import { choicesOf } from './service.ts'
import type { ScorerRow, ScorerStore } from './store.ts'

interface Options {
  store: ScorerStore
  models: Models
  local: Pick<LocalJudges, 'judge' | 'judgeInBackground'>
  /** Answers by models under way: requests to judge are among them. */
  modelAnswers: FairQueue
  traces: { get(projectId: string, traceId: string): Promise<TraceTexts> }
  scores: {
    create(projectId: string, traceId: string, score: CreateScore, origin: ScoreOrigin): Promise<unknown>
  }
  pricing: (projectId: string) => Promise<Pricing>
  meter: Pick<Meter, 'open' | 'charge'>
}

/** A judgement by a model, and what it took. */
export interface Graded extends Judgement {
  usages: readonly ModelUsage[]
}

/** A scorer made ready to judge any number of outputs. */
export interface ReadyJudge {
  readonly slug: string
  /** Fields without which it cannot judge, besides the output. */
  readonly needs: readonly JudgedField[]
  /** Undefined for a local method. */
  readonly byModel: { name: string; grade(judged: Judged, signal?: AbortSignal): Promise<Graded> } | undefined
}

/**
 * Judges one output, and stores the score on its trace. Judging leaves no trace and changes no metric; the calls to a
 * model count as usage of the project.
 */
export class JudgeService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** `not_found` for an unknown scorer or trace, `invalid_request` for a field that is needed, `model_failed`, `budget_exceeded`. */
  async judge(projectId: string, request: JudgeRequest): Promise<JudgeResult> {
    const { trace_id } = request
    const { cost, ...result } = await this.grade(projectId, request)
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
   * `judge`, but that nothing is stored; with the cost of the calls to a model (USD, null when it is not known). With a
   * signal it is background work.
   */
  async grade(
    projectId: string,
    request: JudgeRequest,
    signal?: AbortSignal,
  ): Promise<JudgeResult & { cost: number | null }> {
    const { scorer_slug: scorer } = request
    const row = localJudges.has(scorer) ? undefined : await this.#find(projectId, scorer, 'scorer_slug')
    const judged = await this.#judged(projectId, request)
    refuseMissing(scorer, row ? customNeeds(row) : builtInNeeds(scorer), judged, row !== undefined)
    const { byModel } = this.#ready(projectId, scorer, row, 'scorer_slug')
    const { local, modelAnswers } = this.#options
    const judgeHere = () =>
      signal
        ? local.judgeInBackground(projectId, scorer, judged, signal)
        : local.judge(projectId, scorer, judged)
    const { usages, score, reasoning } = byModel
      ? await (signal
          ? byModel.grade(judged, signal)
          : modelAnswers.run([projectId], () => byModel.grade(judged)))
      : { ...(await judgeHere()), usages: [] }
    const method = byModel ? 'model' : 'local'
    const model = byModel?.name ?? null
    return { score, reasoning, scorer, method, model, cost: await this.costOf(projectId, model, usages) }
  }

  /** The judgement of a built-in scorer without a model, whether or not one is configured; for background work. */
  judgeLocally(projectId: string, scorer: string, judged: Judged, signal: AbortSignal): Promise<Judgement> {
    return this.#options.local.judgeInBackground(projectId, scorer, judged, signal)
  }

  /** Whether the project can name a scorer. */
  async has(projectId: string, slug: string): Promise<boolean> {
    return localJudges.has(slug) || (await this.#options.store.find(projectId, slug)) !== undefined
  }

  /** `not_found` for an unknown scorer, `invalid_request` for one that needs a model where there is none. */
  async open(projectId: string, slug: string): Promise<ReadyJudge> {
    const row = localJudges.has(slug) ? undefined : await this.#find(projectId, slug, 'scorer')
    return this.#ready(projectId, slug, row, 'scorer')
  }

  /** USD; null when nothing was called, or the price is not known. */
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

  /** `field` is where the caller named it. */
  async #find(projectId: string, slug: string, field: string): Promise<ScorerRow> {
    const row = await this.#options.store.find(projectId, slug)
    if (!row) throw new CairnError('not_found', `${field}: there is no scorer ${slug.slice(0, 64)}`)
    return row
  }

  async #judged(projectId: string, request: JudgeRequest): Promise<Judged> {
    const { trace_id, input, output, expected_output } = request
    const trace = trace_id == null ? undefined : await this.#options.traces.get(projectId, trace_id)
    const judgedOutput = output ?? trace?.output
    if (judgedOutput === undefined) {
      throw new CairnError('invalid_request', 'output is required when there is no trace_id')
    }
    return {
      input: input ?? trace?.input,
      output: judgedOutput,
      expected_output: expected_output ?? (trace && expectedOf(trace)),
    }
  }

  #ready(projectId: string, slug: string, row: ScorerRow | undefined, field: string): ReadyJudge {
    return row ? this.#readyCustom(projectId, row, field) : this.#readyBuiltIn(projectId, slug)
  }

  #readyBuiltIn(projectId: string, slug: string): ReadyJudge {
    const model = gradedSlugs.has(slug) ? this.#options.models.chat('') : undefined
    const byModel = model && {
      name: model.name,
      grade: (judged: Judged, signal?: AbortSignal) =>
        this.#grade(projectId, model, builtInPrompt(slug, judged), undefined, signal),
    }
    return { slug, needs: builtInNeeds(slug), byModel }
  }

  #readyCustom(projectId: string, row: ScorerRow, field: string): ReadyJudge {
    const model = this.#options.models.chat(row.model ?? '')
    if (!model) {
      throw new CairnError(
        'invalid_request',
        `${field}: ${row.slug} is graded by a model, and no model provider is configured on this server`,
      )
    }
    const choices = choicesOf(row)
    return {
      slug: row.slug,
      needs: customNeeds(row),
      byModel: {
        name: model.name,
        grade: (judged, signal) =>
          this.#grade(
            projectId,
            model,
            customPrompt(row.prompt, Object.keys(choices), judged),
            choices,
            signal,
          ),
      },
    }
  }

  /** Charged whether or not an answer could be read: the provider wants to be paid for each. */
  async #grade(
    projectId: string,
    model: ChatModel,
    prompt: JudgePrompt,
    choices?: Record<string, number>,
    signal?: AbortSignal,
  ): Promise<Graded> {
    const payer = { projectId, chatId: null, appId: null, userId: null }
    const reservation = await this.#options.meter.open(payer, 'judge', {
      models: [model.name],
      promptTokens: estimateTokens(prompt.system + prompt.user),
      completionTokens: judgeTokens,
    })
    const usages: ModelUsage[] = []
    try {
      return { ...(await gradeByModel(model, prompt, usages, choices, signal)), usages }
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
