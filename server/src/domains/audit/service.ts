import { type AuditEntry, type AuditQuery, limits } from '@cairn/contract'
import { type Paged, parseCursor, toPage } from '../../lib/cursor.ts'
import { newId } from '../../lib/ids.ts'
import { parseStoredJson } from '../../lib/json/stored.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import { redact, withoutSecrets } from './redaction.ts'
import type { AuditRow, AuditStore } from './store.ts'

/** A request to change something, as it came. */
interface Change {
  action: string
  params: Record<string, string>
  body: unknown
  remoteAddress: string
}

export interface AuditServiceOptions {
  store: AuditStore
  /** By the name of a path parameter: the project of what the id names, when it is there. */
  projectOf: Readonly<Record<string, (id: string) => Promise<string | undefined>>>
  /** Texts that must not get into an entry wherever they appear. */
  secrets: readonly string[]
}

/** A longer id names nothing that is there. */
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

  /** Writes an entry without an outcome; it is durable when this resolves with its id. */
  async begin({ action, params, body, remoteAddress }: Change): Promise<string> {
    const { store, secrets } = this.#options
    const shown = Object.entries(params).map(([name, value]) => [
      name,
      withoutSecrets(value, secrets).slice(0, maxParamLength),
    ])
    const projectId = await this.#findProjectId(params)
    const now = Date.now()
    const entryId = newId('aud_', now)
    // JSON holds any text in characters that both databases take.
    await store.insert({
      entry_id: entryId,
      created_at: now,
      action,
      params: JSON.stringify(Object.fromEntries(shown)),
      project_id: projectId,
      body: JSON.stringify(redact(body, secrets)),
      remote_address: storable(remoteAddress),
      status: null,
    })
    return entryId
  }

  /** Adds the outcome, and the project when only the answer knows it. */
  async finish(entryId: string, outcome: { status: number; answer: unknown }): Promise<void> {
    const { status, answer } = outcome
    await this.#options.store.finish(entryId, { status, projectId: projectIdOf(answer) })
  }

  /** A page of entries, newest first, and the cursor of the next page when there is one. */
  async list(query: AuditQuery): Promise<Paged<AuditEntry>> {
    const { limit = limits.listDefault, cursor, project_id: projectId, action } = query
    const after = parseCursor(cursor, 'aud_')
    // One row more than asked tells whether there is a next page.
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
