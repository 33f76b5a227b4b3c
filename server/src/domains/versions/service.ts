import {
  type ActivationAction,
  CairnError,
  type ComparedVersion,
  type CompareVersionsQuery,
  type CreatedVersion,
  type CreateVersion,
  type ListVersionsQuery,
  limits,
  type RolledBackVersion,
  type SuiteOfVersions,
  type Version,
  type VersionActivation,
  type VersionComparison,
  type VersionConfig,
  type VersionHistoryQuery,
  type VersionSummary,
} from '@cairn/contract'
import { changePercent } from '../../lib/change-percent.ts'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { indexable } from '../../lib/indexable.ts'
import { storableOrNull } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { RollupStore } from '../rollups/index.ts'
import { isSemanticVersion } from './semver.ts'
import type { ActivationRow, FoundVersion, VersionStore, VersionSummaryRow } from './store.ts'

/** Figures of the traces of one version. Without traces, averages are 0. */
interface VersionFigures {
  traces: number
  errors: number
  avgLatencyMs: number
  avgCost: number
}

const configFields = ['model', 'prompt', 'temperature', 'max_tokens'] as const

function encodeConfig(config: CreateVersion['config']): Buffer | null {
  if (!config) return null
  const given = configFields.filter((field) => config[field] != null).map((field) => [field, config[field]])
  return Buffer.from(JSON.stringify(Object.fromEntries(given)))
}

function decodeConfig(config: Uint8Array | null): VersionConfig | null {
  return config && (JSON.parse(Buffer.from(config).toString('utf8')) as VersionConfig)
}

function toSummary({ version_id, version, description, is_active, created_at }: VersionSummaryRow) {
  return { version_id, version, description, is_active, created_at: toIso(created_at) }
}

function toActivation({ activation_id, version_id, version, action, activated_at }: ActivationRow) {
  return {
    activation_id,
    version_id,
    version,
    action: action as ActivationAction,
    activated_at: toIso(activated_at),
  }
}

export interface VersionWithConfig {
  version_id: string
  version: string
  config: VersionConfig | null
}

/** Access to the runs of test suites. */
interface SuiteRuns {
  ofVersions(projectId: string, a: string, b: string): Promise<SuiteOfVersions[]>
}

/** Called after an event is committed, so that its deliveries start immediately. */
interface EventWaker {
  wake(): void
}

export class VersionService {
  readonly #store: VersionStore
  readonly #rollups: RollupStore
  readonly #events: EventWaker
  readonly #suites: SuiteRuns

  constructor(store: VersionStore, rollups: RollupStore, events: EventWaker, suites: SuiteRuns) {
    this.#store = store
    this.#rollups = rollups
    this.#events = events
    this.#suites = suites
  }

  /** The new version is the only active one when this resolves. */
  async publish(projectId: string, request: CreateVersion): Promise<CreatedVersion> {
    const { version } = request
    if (!isSemanticVersion(version)) {
      throw new CairnError(
        'invalid_request',
        'version must be a semantic version such as 1.4.0 or 2.0.0-rc.1',
      )
    }
    const now = Date.now()
    const row = {
      project_id: projectId,
      version_id: newId('ver_', now),
      version,
      description: storableOrNull(request.description),
      config: encodeConfig(request.config),
      created_at: now,
    }
    const outcome = await this.#store.publish(row, newId('act_', now))
    if (outcome === 'taken') {
      throw new CairnError(
        'conflict',
        `version ${version} already exists in this project; publish another version`,
      )
    }
    // The request was authorized, so the project was deleted afterwards.
    if (outcome === 'no_project') throw new CairnError('not_found', 'project not found')
    this.#events.wake()
    return { version_id: row.version_id, version, created_at: toIso(now) }
  }

  /** A version with its config; by default the active version. Undefined if it does not exist. */
  async find(projectId: string, versionId?: string): Promise<VersionWithConfig | undefined> {
    const row =
      versionId === undefined
        ? await this.#store.findActive(projectId)
        : await this.#store.find(projectId, versionId)
    return row && { version_id: row.version_id, version: row.version, config: decodeConfig(row.config) }
  }

  async list(projectId: string, query: ListVersionsQuery): Promise<Paged<VersionSummary>> {
    const { limit = limits.listMax, cursor } = query
    const after = parseCursor(cursor, 'ver_')
    const rows = await this.#store.list(projectId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.version_id }))
    return { page: page.map(toSummary), next }
  }

  async get(projectId: string, versionId: string): Promise<Version> {
    const row = await this.#find(projectId, versionId)
    const { traces, avgLatencyMs, avgCost } = await this.#figures(projectId, row.version)
    return {
      ...toSummary(row),
      config: decodeConfig(row.config),
      trace_count: traces,
      avg_latency_ms: avgLatencyMs,
      avg_cost: avgCost,
    }
  }

  /** The named version is the only active one when this resolves. */
  async rollback(projectId: string, versionId: string): Promise<RolledBackVersion> {
    const done = await this.#store.rollback(projectId, versionId, newId('act_'))
    if (!done) throw new CairnError('not_found', 'version not found')
    this.#events.wake()
    return {
      version_id: versionId,
      version: done.version,
      is_active: true,
      rolled_back_at: toIso(done.activated_at),
    }
  }

  async compare(projectId: string, { a, b }: CompareVersionsQuery): Promise<VersionComparison> {
    const [from, to, suites] = await Promise.all([
      this.#compared(projectId, a, 'a'),
      this.#compared(projectId, b, 'b'),
      this.#suites.ofVersions(projectId, a, b),
    ])
    return {
      version_a: from,
      version_b: to,
      diff: {
        latency_change_pct: changePercent(from.avg_latency_ms, to.avg_latency_ms),
        cost_change_pct: changePercent(from.avg_cost, to.avg_cost),
        error_rate_change_pct: changePercent(from.error_rate, to.error_rate),
      },
      ...(suites.length > 0 && { suites }),
    }
  }

  /** A page of activations, newest first, and the cursor of the next page if there is one. */
  async history(projectId: string, query: VersionHistoryQuery): Promise<Paged<VersionActivation>> {
    const { limit = limits.listDefault, cursor } = query
    const after = parseCursor(cursor, 'act_')
    // One additional row shows whether there is a next page.
    const rows = await this.#store.history(projectId, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.activated_at, id: row.activation_id }))
    return { page: page.map(toActivation), next }
  }

  async #find(projectId: string, versionId: string, field?: 'a' | 'b'): Promise<FoundVersion> {
    const row = await this.#store.find(projectId, versionId)
    if (row) return row
    throw new CairnError(
      'not_found',
      field ? `version not found: ${field} must be a version of the project` : 'version not found',
    )
  }

  async #figures(projectId: string, version: string): Promise<VersionFigures> {
    const sums = await this.#rollups.total(projectId, 'version', indexable(version))
    return {
      traces: sums.traces,
      errors: sums.errors,
      avgLatencyMs: sums.latencies === 0 ? 0 : sums.latency_sum / sums.latencies,
      avgCost: sums.costs === 0 ? 0 : sums.cost_sum / sums.costs,
    }
  }

  async #compared(projectId: string, versionId: string, field: 'a' | 'b'): Promise<ComparedVersion> {
    const { version } = await this.#find(projectId, versionId, field)
    const { traces, errors, avgLatencyMs, avgCost } = await this.#figures(projectId, version)
    return {
      version_id: versionId,
      version,
      avg_latency_ms: avgLatencyMs,
      avg_cost: avgCost,
      total_traces: traces,
      error_rate: traces === 0 ? 0 : errors / traces,
    }
  }
}
