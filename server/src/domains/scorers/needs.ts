import { CairnError } from '@cairn/contract'
import { type Judged, localJudges } from './local/index.ts'
import { fieldsOf, type JudgedField } from './prompt.ts'
import type { ScorerRow } from './store.ts'

export function builtInNeeds(slug: string): readonly JudgedField[] {
  return localJudges.get(slug)?.needs ?? []
}

export function customNeeds({ prompt }: ScorerRow): JudgedField[] {
  return fieldsOf(prompt).filter((field) => field !== 'output')
}

export function refuseMissing(
  slug: string,
  needs: readonly JudgedField[],
  judged: Judged,
  isCustom: boolean,
): void {
  const missing = needs.find((field) => judged[field] === undefined)
  if (!missing) return
  const by = isCustom ? `the prompt of the scorer ${slug}` : `the scorer ${slug}`
  throw new CairnError('invalid_request', `${missing} is required by ${by}`)
}
