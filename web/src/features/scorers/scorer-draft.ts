import type { ReplaceScorer, Scorer } from '@cairn/sdk'
import { randomId } from '../../ui/random-id.ts'

/** A choice of the model in the form. */
export interface ChoiceDraft {
  key: string
  name: string
  score: string
}

/** A scorer of the project in the form. */
export interface ScorerDraft {
  slug: string
  description: string
  prompt: string
  choices: ChoiceDraft[]
  /** Empty for the default model. */
  model: string
}

export const newChoice = (name = '', score = ''): ChoiceDraft => ({ key: randomId(), name, score })

/** The form content for a new or stored scorer. */
export function scorerDraft(scorer?: Scorer): ScorerDraft {
  const choices = Object.entries(scorer?.choices ?? { yes: 1, no: 0 })
  return {
    slug: scorer?.slug ?? '',
    description: scorer?.description ?? '',
    prompt: scorer?.prompt ?? '',
    choices: choices.map(([name, score]) => newChoice(name, String(score))),
    model: scorer?.model ?? '',
  }
}

/** A repeated choice name. The request can hold each name only once. */
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
