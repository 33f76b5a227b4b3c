import { CairnError, type CreateScore, type JudgeRequest, type JudgeResult } from '@cairn/contract'
import { estimateTokens } from '../../models/catalogue.ts'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import {
  gradedSlugs,
  type Judged,
  type Judgement,
  judgeLocally,
  localJudges,
  requireFields,
} from '../../models/judges/index.ts'
import type { Models } from '../../models/models.ts'
import type { Meter } from '../credits/index.ts'
import type { Pricing } from '../prices/index.ts'
import type { Charge } from '../usage/index.ts'
import { gradeByModel, judgeTokens } from './grade.ts'
import { builtInPrompt, customPrompt, fieldsOf, type JudgePrompt } from './prompt.ts'
import { choicesOf } from './service.ts'
import type { ScorerRow, ScorerStore } from './store.ts'

interface Options {
  store: ScorerStore
  models: Models
  traces: { get(projectId: string, traceId: string): Promise<{ input: string; output: string }> }
  scores: {
    create(projectId: string, traceId: string, score: CreateScore, cost: number | null): Promise<unknown>
  }
  pricing: (projectId: string) => Promise<Pricing>
  meter: Pick<Meter, 'open'>
  usage: { charge(charge: Charge): Promise<void> }
}

interface Verdict extends Omit<JudgeResult, 'scorer'> {
  usages: readonly ModelUsage[]
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
    const { scorer_slug: scorer, trace_id } = request
    const custom = localJudges.has(scorer) ? undefined : await this.#find(projectId, scorer)
    const judged = await this.#judged(projectId, request)
    const { usages, ...verdict } = custom
      ? await this.#byCustom(projectId, custom, judged)
      : await this.#byBuiltIn(projectId, scorer, judged)
    if (trace_id != null) {
      const cost = await this.#costOf(projectId, verdict.model, usages)
      const score = { name: scorer, value: verdict.score, comment: verdict.reasoning }
      await this.#options.scores.create(projectId, trace_id, score, cost)
    }
    const { score, reasoning, method, model } = verdict
    return { score, reasoning, scorer, method, model }
  }

  async #find(projectId: string, slug: string): Promise<ScorerRow> {
    const row = await this.#options.store.find(projectId, slug)
    if (!row) throw new CairnError('not_found', `scorer_slug: there is no scorer ${slug.slice(0, 64)}`)
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
      expected_output: expected_output ?? undefined,
    }
  }

  async #byBuiltIn(projectId: string, slug: string, judged: Judged): Promise<Verdict> {
    const { models } = this.#options
    requireFields(slug, judged)
    const model = gradedSlugs.has(slug) ? models.chat('') : undefined
    if (!model) return { ...judgeLocally(slug, judged), method: 'local', model: null, usages: [] }
    return this.#grade(projectId, model, builtInPrompt(slug, judged))
  }

  async #byCustom(projectId: string, scorer: ScorerRow, judged: Judged): Promise<Verdict> {
    const missing = fieldsOf(scorer.prompt).find((field) => judged[field] === undefined)
    if (missing) {
      throw new CairnError(
        'invalid_request',
        `${missing} is required by the prompt of the scorer ${scorer.slug}`,
      )
    }
    const model = this.#options.models.chat(scorer.model ?? '')
    if (!model) {
      throw new CairnError(
        'invalid_request',
        `scorer_slug: ${scorer.slug} is graded by a model, and no model provider is configured on this server`,
      )
    }
    const choices = choicesOf(scorer)
    const prompt = customPrompt(scorer.prompt, Object.keys(choices), judged)
    return this.#grade(projectId, model, prompt, choices)
  }

  /** Charged whether or not an answer could be read: the provider wants to be paid for each. */
  async #grade(
    projectId: string,
    model: ChatModel,
    prompt: JudgePrompt,
    choices?: Record<string, number>,
  ): Promise<Verdict> {
    const payer = { projectId, chatId: null, appId: null, userId: null }
    const tab = await this.#options.meter.open(payer, 'judge', {
      models: [model.name],
      promptTokens: estimateTokens(prompt.system + prompt.user),
      completionTokens: judgeTokens,
    })
    const usages: ModelUsage[] = []
    let judgement: Judgement
    try {
      judgement = await gradeByModel(model, prompt, usages, choices)
    } finally {
      const used = usages.length > 0 ? { model: model.name, ...sumOf(usages) } : undefined
      const cost = await this.#costOf(projectId, model.name, usages)
      await this.#options.usage.charge({ ...tab.charge(used), cost }).finally(() => tab.close())
    }
    return { ...judgement, usages, method: 'model', model: model.name }
  }

  /** USD; null when nothing was called, or the price is not known. */
  async #costOf(
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
