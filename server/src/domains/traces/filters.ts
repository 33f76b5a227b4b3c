import { CairnError, type TraceFilters } from '@cairn/contract'
import { foldCase } from '../../lib/body-search.ts'
import { indexable } from '../../lib/indexable.ts'
import { storable } from '../../lib/storable.ts'
import { parsePeriod } from '../rollups/index.ts'
import { attributeLabel, type Label, tagLabel } from './labels.ts'
import type { ScoreCondition, TraceConditions } from './store/index.ts'

/** Filters of one kind; databases refuse statements with hundreds of conditions. */
const maxRepeated = 20

function refuse(message: string): never {
  throw new CairnError('invalid_request', message)
}

function textsOf(value: unknown): string[] {
  return [value].flat().map(String)
}

function parseLabels(query: TraceFilters): Label[] {
  const tags = textsOf(query.tag ?? []).map((tag) => ({ name: tagLabel, value: indexable(tag) }))
  const attributes = Object.entries(query)
    .filter(([name]) => name.startsWith('attr.'))
    .flatMap(([name, value]) => {
      const path = name.slice('attr.'.length)
      if (path === '') refuse('attr. must be followed by the name of an attribute')
      return textsOf(value).map((text) => ({ name: attributeLabel(path), value: indexable(text) }))
    })
  if (attributes.length > maxRepeated) refuse(`at most ${maxRepeated} filters attr.<key> can be combined`)
  return [...attributes, ...tags]
}

/**
 * `score.tone>=0.5` arrives as the name `score.tone>` with the value 0.5; `score.tone>0.5`, and whatever is encoded
 * as a whole, as a name alone.
 */
function parseScore(name: string, value: string): ScoreCondition {
  const whole = value === '' && /[<>=]/.test(name) ? name : `${name}=${value}`
  const match = /^score\.(.+?)(>=|<=|>|<|=)([^<>=]*)$/s.exec(whole)
  const number = Number(match?.[3]?.trim() || Number.NaN)
  if (!match?.[1] || !Number.isFinite(number)) {
    refuse('score filters have the form score.<name>>=0.5, with =, >=, <=, > or < and a number')
  }
  return {
    name: storable(match[1].trim()),
    comparison: match[2] as ScoreCondition['comparison'],
    value: number,
  }
}

function parseScores(query: TraceFilters): ScoreCondition[] {
  const scores = Object.entries(query)
    .filter(([name]) => name.startsWith('score.'))
    .flatMap(([name, value]) => textsOf(value).map((text) => parseScore(name, text)))
  if (scores.length > maxRepeated) refuse(`at most ${maxRepeated} filters score.<name> can be combined`)
  return scores
}

function exact(text: string | undefined): string | undefined {
  return text === undefined ? undefined : indexable(text)
}

type Bound = 'min_latency_ms' | 'max_latency_ms' | 'min_cost' | 'max_cost'

function checkBounds(query: TraceFilters, least: Bound, most: Bound): void {
  const [from, to] = [query[least], query[most]]
  if (from !== undefined && to !== undefined && from > to) refuse(`${least} must not be above ${most}`)
}

/** The filters of a query string, checked; throws `invalid_request` naming the field. */
export function parseTraceFilters(query: TraceFilters): TraceConditions {
  checkBounds(query, 'min_latency_ms', 'max_latency_ms')
  checkBounds(query, 'min_cost', 'max_cost')
  return {
    ...parsePeriod(query),
    status: query.status,
    model: exact(query.model),
    version: exact(query.version),
    environment: exact(query.environment),
    sessionId: exact(query.session_id),
    userId: exact(query.user_id),
    labels: parseLabels(query),
    minLatencyMs: query.min_latency_ms,
    maxLatencyMs: query.max_latency_ms,
    minCost: query.min_cost,
    maxCost: query.max_cost,
    scores: parseScores(query),
    text: query.q ? foldCase(query.q) : undefined,
  }
}

/** Whether there is any condition at all. */
export function isFiltering(conditions: TraceConditions): boolean {
  return Object.values(conditions).some((value) => [value].flat().some((one) => one !== undefined))
}
