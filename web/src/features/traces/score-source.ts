import type { StoredScore } from '@cairn/sdk'

/** Names of the sources of scores. */
export const sourceTitles: Record<NonNullable<StoredScore['source']>, string> = {
  human: 'By hand or API',
  judge: 'Scorer',
  batch: 'Batch',
  rule: 'Rule',
  feedback: 'Feedback',
}

/** The origin of a score as text; empty for scores that are older than the field. */
export function sourceOf({ source, scorer, model, method }: StoredScore): string {
  if (!source) return ''
  return [sourceTitles[source], scorer, model ?? (method === 'local' ? 'local' : undefined)]
    .filter(Boolean)
    .join(' · ')
}
