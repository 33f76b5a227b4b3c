import { extractiveModel } from './catalogue.ts'
import { namesOf, normalizeModel } from './prices.ts'

/** Credits for 1,000 tokens, by normalised name; other models have 1. */
export const builtInMultipliers: ReadonlyMap<string, number> = new Map(
  (
    [
      [extractiveModel, 0],
      ['gpt-4o-mini', 1],
      ['claude-3-haiku', 1],
      ['gemini-pro', 3],
      ['gemini-1.5-pro', 4],
      ['claude-3-sonnet', 8],
      ['claude-3.5-sonnet', 10],
      ['gpt-4-turbo', 12],
      ['gpt-4o', 15],
      ['gpt-4', 18],
      ['claude-3-opus', 20],
    ] as const
  ).map(([model, multiplier]) => [normalizeModel(model), multiplier]),
)

/** Multipliers that are set override built-in ones; an exact name overrides the name of its family. */
export function multiplierOf(model: string, set: ReadonlyMap<string, number> = new Map()): number {
  for (const name of namesOf(model)) {
    const multiplier = set.get(name) ?? builtInMultipliers.get(name)
    if (multiplier !== undefined) return multiplier
  }
  return 1
}

export function creditsOf(totalTokens: number, multiplier: number): number {
  return (totalTokens * multiplier) / 1000
}
