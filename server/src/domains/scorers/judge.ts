import { CairnError, type CreateScore, type JudgeRequest, type JudgeResult } from '@cairn/contract'
import type { ModelUsage } from '../../models/chat.ts'
import {
  gradedSlugs,
  type Judged,
  judgeLocally,
  localJudges,
  requireFields,
} from '../../models/judges/index.ts'
import type { Models } from '../../models/models.ts'
import type { Pricing } from '../prices/index.ts'
import { gradeByModel } from './grade.ts'
import { builtInPrompt, customPrompt, fieldsOf } from './prompt.ts'
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
}

interface Verdict extends Omit<JudgeResult, 'scorer'> {
  usages: readonly ModelUsage[]
}

/** Judges one output, and stores the score on its trace. Judging leaves no trace and changes no metric. */
export class JudgeService {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** `not_found` for an unknown scorer or trace, `invalid_request` for a field that is needed, `model_failed`. */
  async judge(projectId: string, request: JudgeRequest): Promise<JudgeResult> {
    const { trace_id } = request
    const { cost, ...result } = await this.grade(projectId, request)
    if (trace_id != null) {
      const score = { name: result.scorer, value: result.score, comment: result.reasoning }
      await this.#options.scores.create(projectId, trace_id, score, cost)
    }
    return result
  }

  /** `judge`, but that nothing is stored; with the cost of the calls to a model (USD, null when it is not known). */
  async grade(
    projectId: string,
    request: JudgeRequest,
    signal?: AbortSignal,
  ): Promise<JudgeResult & { cost: number | null }> {
    const { scorer_slug: scorer } = request
    const custom = localJudges.has(scorer) ? undefined : await this.#find(projectId, scorer)
    const judged = await this.#judged(projectId, request)
    const { usages, score, reasoning, method, model } = custom
      ? await this.#byCustom(custom, judged, signal)
      : await this.#byBuiltIn(scorer, judged, signal)
    const cost = await this.#costOf(projectId, model, usages)
    return { score, reasoning, scorer, method, model, cost }
  }

  /** Whether the project can name a scorer. */
  async has(projectId: string, slug: string): Promise<boolean> {
    return localJudges.has(slug) || (await this.#options.store.find(projectId, slug)) !== undefined
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

  async #byBuiltIn(slug: string, judged: Judged, signal?: AbortSignal): Promise<Verdict> {
    const { models } = this.#options
    requireFields(slug, judged)
    const model = gradedSlugs.has(slug) ? models.chat('') : undefined
    if (!model) return { ...judgeLocally(slug, judged), method: 'local', model: null, usages: [] }
    const prompt = builtInPrompt(slug, judged)
    return { ...(await gradeByModel(model, prompt, { signal })), method: 'model', model: model.name }
  }

  async #byCustom(scorer: ScorerRow, judged: Judged, signal?: AbortSignal): Promise<Verdict> {
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
    const graded = await gradeByModel(model, prompt, { choices, signal })
    return { ...graded, method: 'model', model: model.name }
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
