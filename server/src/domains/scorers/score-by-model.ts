import { CairnError } from '@cairn/contract'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import type { ScoreResult } from './local/index.ts'
import type { ScorerPrompt } from './prompt.ts'

/** Maximum calls until an answer contains a valid score. */
const maxCalls = 3
/** Maximum tokens of one answer of the model. */
export const maxScorerTokens = 1000

/** No answer of the model contains a valid score. */
export class NoScoreError extends CairnError {
  readonly model: string
  readonly usages: readonly ModelUsage[]

  constructor(model: string, wanted: string, usages: readonly ModelUsage[]) {
    super('model_failed', `the model ${model} was asked for ${wanted} and gave none in ${maxCalls} answers`)
    this.model = model
    this.usages = usages
  }
}

/**
 * Scores an output by a model ("LLM as a judge"). Every call appends to `usages`, also a call without a valid score.
 * @throws ModelError; NoScoreError if no answer contains a valid score
 */
export async function scoreByModel(
  model: ChatModel,
  { system, user }: ScorerPrompt,
  usages: ModelUsage[],
  choices?: Record<string, number>,
  signal?: AbortSignal,
): Promise<ScoreResult> {
  const request = {
    system,
    messages: [{ role: 'user' as const, content: user }],
    temperature: 0,
    maxTokens: maxScorerTokens,
    schema: schemaOf(choices && Object.keys(choices)),
    schemaName: 'judgement',
  }
  for (let count = 0; count < maxCalls; count++) {
    const { value, usage } = await model.object(request, signal)
    if (usage) usages.push(usage)
    const result = read(value, choices)
    if (result) return result
  }
  const wanted = choices ? 'one of the choices' : 'a score from 0 to 1'
  throw new NoScoreError(model.name, wanted, usages)
}

function schemaOf(choices: readonly string[] | undefined): Record<string, unknown> {
  const verdict = choices ? { choice: { type: 'string', enum: choices } } : { score: { type: 'number' } }
  return {
    type: 'object',
    properties: { reasoning: { type: 'string' }, ...verdict },
    required: ['reasoning', ...Object.keys(verdict)],
    additionalProperties: false,
  }
}

/** Reads the score of an answer; undefined if it contains none. */
function read(value: unknown, choices: Record<string, number> | undefined): ScoreResult | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { reasoning, score, choice } = value as Record<string, unknown>
  if (typeof reasoning !== 'string') return undefined
  const chosen =
    typeof choice === 'string' && choices && Object.hasOwn(choices, choice) ? choices[choice] : undefined
  const found = choices ? chosen : score
  if (typeof found !== 'number' || !(found >= 0 && found <= 1)) return undefined
  return { score: found, reasoning: choices ? `${choice}: ${reasoning}` : reasoning }
}
