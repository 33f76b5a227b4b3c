import { CairnError } from '@cairn/contract'
import type { ChatModel, ModelUsage } from '../../models/chat.ts'
import type { Judgement } from '../../models/judges/index.ts'
import type { JudgePrompt } from './prompt.ts'

/** Answers that can be read as no judgement are asked for again. */
const tries = 3
const maxTokens = 1000

interface Graded extends Judgement {
  /** Of every call, those with answers that could not be read too. */
  usages: ModelUsage[]
}

/** A judgement by a model. Throws ModelError, and `model_failed` when no answer can be read: no score is made up. */
export async function gradeByModel(
  model: ChatModel,
  { system, user }: JudgePrompt,
  {
    choices,
    signal,
  }: { choices?: Record<string, number> | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Graded> {
  const request = {
    system,
    messages: [{ role: 'user' as const, content: user }],
    temperature: 0,
    maxTokens,
    schema: schemaOf(choices && Object.keys(choices)),
    schemaName: 'judgement',
  }
  const usages: ModelUsage[] = []
  for (let count = 0; count < tries; count++) {
    const { value, usage } = await model.object(request, signal)
    if (usage) usages.push(usage)
    const judgement = read(value, choices)
    if (judgement) return { ...judgement, usages }
  }
  const wanted = choices ? 'one of the choices' : 'a score from 0 to 1'
  throw new CairnError(
    'model_failed',
    `the model ${model.name} was asked for ${wanted} and gave none in ${tries} answers`,
  )
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
