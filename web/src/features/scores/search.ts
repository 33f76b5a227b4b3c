import { type Period, periodIn } from '../../shared/filters/periods.ts'
import { oneOf, textOf } from '../../shared/search-params.ts'

/** Tabs by their names in the address; `judges` are the scorers. */
export const scoreTabs = ['scores', 'judges', 'batches', 'rules'] as const
export type ScoreTab = (typeof scoreTabs)[number]
export const sources = ['human', 'judge', 'batch', 'rule'] as const

export interface ScoreFilters extends Period {
  name?: string | undefined
  source?: (typeof sources)[number] | undefined
  /** Slug of a scorer. */
  scorer?: string | undefined
  min_value?: string | undefined
  max_value?: string | undefined
}

export interface ScoreSearch extends ScoreFilters {
  tab?: ScoreTab | undefined
  /** The batch in the side panel. */
  batch?: string | undefined
  /** Slug of the scorer in the side panel. */
  judge?: string | undefined
  trace?: string | undefined
  span?: string | undefined
}

export function parseScoreSearch(search: Record<string, unknown>): ScoreSearch {
  return {
    tab: oneOf(scoreTabs, search.tab),
    batch: textOf(search.batch),
    judge: textOf(search.judge),
    name: textOf(search.name),
    source: oneOf(sources, search.source),
    scorer: textOf(search.scorer),
    min_value: textOf(search.min_value),
    max_value: textOf(search.max_value),
    ...periodIn(search),
    trace: textOf(search.trace),
    span: textOf(search.span),
  }
}
