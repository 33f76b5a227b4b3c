import type { ReplaceScorer, Scorer } from '@cairn/sdk'
import { randomId } from '../../ui/random-id.ts'

/** A choice of the model as it is typed. */
export interface ChoiceDraft {
  key: string
  name: string
  score: string
}

/** A judge of the project as it is typed. */
export interface ScorerDraft {
  slug: string
  description: string
  prompt: string
  choices: ChoiceDraft[]
  /** Empty for the default one. */
  model: string
}

export const newChoice = (name = '', score = ''): ChoiceDraft => ({ key: randomId(), name, score })

/** A new judge, or one that is there. */
export function scorerDraft(judge?: Scorer): ScorerDraft {
  const choices = Object.entries(judge?.choices ?? { yes: 1, no: 0 })
  return {
    slug: judge?.slug ?? '',
    description: judge?.description ?? '',
    prompt: judge?.prompt ?? '',
    choices: choices.map(([name, score]) => newChoice(name, String(score))),
    model: judge?.model ?? '',
  }
}

/** The name of a choice that stands there twice: the server would be sent but one of them. */
export function twiceIn(choices: readonly ChoiceDraft[]): string | undefined {
  const names = choices.map(({ name }) => name.trim())
  return names.find((name, place) => name !== '' && names.indexOf(name) < place)
}

export function toRequest({ description, prompt, choices, model }: ScorerDraft): ReplaceScorer {
  return {
    prompt,
    choices: Object.fromEntries(choices.map(({ name, score }) => [name.trim(), Number(score)])),
    ...(description.trim() && { description: description.trim() }),
    ...(model && { model }),
  }
}
