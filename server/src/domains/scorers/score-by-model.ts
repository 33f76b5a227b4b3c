import { CairnError } from '@cairn/contract'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import type { Judgement } from './local/index.ts'
import type { JudgePrompt } from './prompt.ts'

/** Answers that can be read as no judgement are asked for again. */
const tries = 3
/** Tokens that one answer of a judge may have. */
export const judgeTokens = 1000

/** A model gave answers, none of which can be read as a judgement. */
export class UngradedError extends CairnError {
  readonly model: string
  readonly usages: readonly ModelUsage[]

  constructor(model: string, wanted: string, usages: readonly ModelUsage[]) {
    super('model_failed', `the model ${model} was asked for ${wanted} and gave none in ${tries} answers`)
    this.model = model
    this.usages = usages
  }
}

/**
 * A judgement by a model. Throws ModelError, and UngradedError when no answer can be read: no score is made up. `usages`
 * is added to by every call, by those with answers that could not be read too.
 */
export async function gradeByModel(
  model: ChatModel,
  { system, user }: JudgePrompt,
  usages: ModelUsage[],
  choices?: Record<string, number>,
  signal?: AbortSignal,
): Promise<Judgement> {
  const request = {
    system,
    messages: [{ role: 'user' as const, content: user }],
    temperature: 0,
    maxTokens: judgeTokens,
    schema: schemaOf(choices && Object.keys(choices)),
    schemaName: 'judgement',
  }
  for (let count = 0; count < tries; count++) {
    const { value, usage } = await model.object(request, signal)
    if (usage) usages.push(usage)
    const judgement = read(value, choices)
    if (judgement) return judgement
  }
  const wanted = choices ? 'one of the choices' : 'a score from 0 to 1'
  throw new UngradedError(model.name, wanted, usages)
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

/** Undefined for an answer that is no judgement. */
function read(value: unknown, choices: Record<string, number> | undefined): Judgement | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { reasoning, score, choice } = value as Record<string, unknown>
  if (typeof reasoning !== 'string') return undefined
  const chosen =
    typeof choice === 'string' && choices && Object.hasOwn(choices, choice) ? choices[choice] : undefined
  const found = choices ? chosen : score
  if (typeof found !== 'number' || !(found >= 0 && found <= 1)) return undefined
  return { score: found, reasoning: choices ? `${choice}: ${reasoning}` : reasoning }
}
