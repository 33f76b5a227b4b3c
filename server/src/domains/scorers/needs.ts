import { CairnError } from '@cairn/contract'
import { localScorers, type ScoredTexts } from './local/index.ts'
import { fieldsOf, type TextField } from './prompt.ts'
import type { ScorerRow } from './store.ts'

export function builtInNeeds(slug: string): readonly TextField[] {
  return localScorers.get(slug)?.needs ?? []
}

export function customNeeds({ prompt }: ScorerRow): TextField[] {
  return fieldsOf(prompt).filter((field) => field !== 'output')
}

export function requireFields(
  slug: string,
  needs: readonly TextField[],
  texts: ScoredTexts,
  isCustom: boolean,
): void {
  const missing = needs.find((field) => texts[field] === undefined)
  if (!missing) return
  const by = isCustom ? `the prompt of the scorer ${slug}` : `the scorer ${slug}`
  throw new CairnError('invalid_request', `${missing} is required by ${by}`)
}
