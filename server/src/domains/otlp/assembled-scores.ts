import { limits } from '@cairn/contract'
import type { ScoreRow } from '../scores/index.ts'
import type { OtlpStore } from './store.ts'

/** Scores that are written in one transaction. */
export const scoresPerWrite = 500

/** The scores that are not stored, up to the limit of a trace. */
export async function newScores(
  store: OtlpStore,
  projectId: string,
  scores: readonly ScoreRow[],
  stored: ReadonlySet<string>,
): Promise<ScoreRow[]> {
  const scored = new Set(scores.map(({ trace_id }) => trace_id))
  const known = await store.scoreIds(projectId, [...scored.intersection(stored)])
  return scores.filter(({ trace_id, score_id }) => {
    const ids = known.get(trace_id) ?? new Set()
    if (ids.size >= limits.scoresPerTrace || ids.has(score_id)) return false
    known.set(trace_id, ids.add(score_id))
    return true
  })
}

/** Writes scores in steps, and then the items are settled. If a trace is deleted meanwhile, the next round continues. */
export async function addScores(
  store: OtlpStore,
  projectId: string,
  scores: readonly ScoreRow[],
  items: readonly string[],
): Promise<void> {
  for (let from = 0; from < scores.length; from += scoresPerWrite) {
    if ((await store.addScores(scores.slice(from, from + scoresPerWrite))) === 'gone') return
  }
  await store.settle(projectId, items)
}
