import { CairnError, type TraceFilters } from '@cairn/contract'
import { foldCase } from '../../lib/body-search.ts'
import { indexable } from '../../lib/indexable.ts'
import { storable } from '../../lib/storable.ts'
import { parsePeriod } from '../rollups/index.ts'
import { attributeLabel, type Label, nameLabel, tagLabel } from './labels.ts'
import type { ScoreCondition, TraceConditions } from './store/index.ts'

/** Maximum number of filters of one kind, because databases reject statements with hundreds of conditions. */
const maxRepeated = 20

function reject(message: string): never {
  throw new CairnError('invalid_request', message)
}

function textsOf(value: unknown): string[] {
  return [value].flat().map(String)
}

function parseIds(given: TraceFilters['trace_id']): string[] | undefined {
  const ids = textsOf(given ?? []).map(storable)
  return ids.length === 0 ? undefined : [...new Set(ids)]
}

function parseLabels(query: TraceFilters): Label[] {
  const names = query.name === undefined ? [] : [{ name: nameLabel, value: indexable(query.name) }]
  const tags = textsOf(query.tag ?? []).map((tag) => ({ name: tagLabel, value: indexable(tag) }))
  const attributes = Object.entries(query)
    .filter(([name]) => name.startsWith('attr.'))
    .flatMap(([name, value]) => {
      const path = name.slice('attr.'.length)
      if (path === '') reject('attr. must be followed by the name of an attribute')
      return textsOf(value).map((text) => ({ name: attributeLabel(path), value: indexable(text) }))
    })
  if (attributes.length > maxRepeated) reject(`at most ${maxRepeated} filters attr.<key> can be combined`)
  return [...attributes, ...tags, ...names]
}

/**
 * Parses a score filter. A query parser splits at the first `=`: `score.tone>=0.5` arrives as the name `score.tone>` with
 * the value 0.5. `score.tone>0.5`, and a filter that is percent-encoded as a whole, arrives as a name without a value.
 */
function parseScore(name: string, value: string): ScoreCondition {
  const whole = value === '' && /[<>=]/.test(name) ? name : `${name}=${value}`
  const match = /^score\.(.+?)(>=|<=|>|<|=)([^<>=]*)$/s.exec(whole)
  const number = Number(match?.[3]?.trim() || Number.NaN)
  if (!match?.[1] || !Number.isFinite(number)) {
    reject('score filters have the form score.<name>>=0.5, with =, >=, <=, > or < and a number')
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
  if (scores.length > maxRepeated) reject(`at most ${maxRepeated} filters score.<name> can be combined`)
  return scores
}

function exact(text: string | undefined): string | undefined {
  return text === undefined ? undefined : indexable(text)
}

type Bound = 'min_latency_ms' | 'max_latency_ms' | 'min_cost' | 'max_cost'

function checkBounds(query: TraceFilters, min: Bound, max: Bound): void {
  const [from, to] = [query[min], query[max]]
  if (from !== undefined && to !== undefined && from > to) reject(`${min} must not be above ${max}`)
}

/**
 * Parses the filters of a query string.
 * @throws `invalid_request` with the name of the field
 */
export function parseTraceFilters(query: TraceFilters): TraceConditions {
  checkBounds(query, 'min_latency_ms', 'max_latency_ms')
  checkBounds(query, 'min_cost', 'max_cost')
  return {
    ...parsePeriod(query),
    ids: parseIds(query.trace_id),
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

/** Whether there is at least one condition. */
export function isFiltering(conditions: TraceConditions): boolean {
  return Object.values(conditions).some((value) => [value].flat().some((one) => one !== undefined))
}
