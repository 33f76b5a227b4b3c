import { type AuditEntry, type AuditQuery, limits } from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { redact, withoutSecrets } from './redaction.ts'
import type { AuditRow, AuditStore } from './store.ts'

/** A request that changes something, before it is redacted. */
interface Change {
  action: string
  params: Record<string, string>
  body: unknown
  remoteAddress: string
}

export interface AuditServiceOptions {
  store: AuditStore
  /** Looks up the project of an id. The keys are names of path parameters, such as `chat_id`. */
  projectOf: Readonly<Record<string, (id: string) => Promise<string | undefined>>>
  /** Texts that no entry may contain. */
  secrets: readonly string[]
}

/** Longer than any valid id. */
const maxParamLength = 300
const projectIdForm = /^proj_[0-9a-z]{20}$/

function projectIdOf(answer: unknown): string | null {
  const { project_id } = (answer ?? {}) as { project_id?: unknown }
  return typeof project_id === 'string' ? project_id : null
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    entry_id: row.entry_id,
    created_at: toIso(row.created_at),
    action: row.action,
    params: JSON.parse(row.params) as Record<string, string>,
    project_id: row.project_id,
    body: parseStoredJson(row.body),
    remote_address: row.remote_address,
    status: row.status,
  }
}

export class AuditService {
  readonly #options: AuditServiceOptions

  constructor(options: AuditServiceOptions) {
    this.#options = options
  }

  /** Writes an entry without an outcome. Resolves with its id when the entry is durable. */
  async begin({ action, params, body, remoteAddress }: Change): Promise<string> {
    const { store, secrets } = this.#options
    const redactedParams = Object.entries(params).map(([name, value]) => [
      name,
      withoutSecrets(value, secrets).slice(0, maxParamLength),
    ])
    const projectId = await this.#findProjectId(params)
    const now = Date.now()
    const entryId = newId('aud_', now)
    // JSON escapes characters that PostgreSQL rejects in text.
    await store.insert({
      entry_id: entryId,
      created_at: now,
      action,
      params: JSON.stringify(Object.fromEntries(redactedParams)),
      project_id: projectId,
      body: JSON.stringify(redact(body, secrets)),
      remote_address: storable(remoteAddress),
      status: null,
    })
    return entryId
  }

  /** Adds the outcome. If the entry has no project yet, `project_id` of the response body is its project. */
  async finish(entryId: string, outcome: { status: number; answer: unknown }): Promise<void> {
    const { status, answer } = outcome
    await this.#options.store.finish(entryId, { status, projectId: projectIdOf(answer) })
  }

  /** A page of entries, newest first, and the cursor of the next page if there is one. */
  async list(query: AuditQuery): Promise<Paged<AuditEntry>> {
    const { limit = limits.listDefault, cursor, project_id: projectId, action } = query
    const after = parseCursor(cursor, 'aud_')
    // One additional row shows whether there is a next page.
    const rows = await this.#options.store.list({ projectId, action }, { limit: limit + 1, after })
    const { page, next } = toPage(rows, limit, (row) => ({ ms: row.created_at, id: row.entry_id }))
    return { page: page.map(toEntry), next }
  }

  async #findProjectId(params: Record<string, string>): Promise<string | null> {
    if (projectIdForm.test(params.project_id ?? '')) return params.project_id ?? null
    for (const [name, id] of Object.entries(params)) {
      const found = await this.#options.projectOf[name]?.(storable(id))
      if (found !== undefined) return found
    }
    return null
  }
}
