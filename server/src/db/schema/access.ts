import type { Generated } from 'kysely'

interface Project {
  project_id: string
  name: string
  created_at: number
  retention_days: number | null
}

/** Projects, keys, console sessions, and the audit log. */
export interface AccessTables {
  /** What reads ask: a view of the live ones. */
  projects: Project
  /** What writes name. */
  project_rows: Project & { state: Generated<'live' | 'deleting'> }
  api_keys: {
    key_id: string
    project_id: string
    /** Null for keys of a project. */
    chat_id: string | null
    name: string
    permissions: string
    secret_hash: string
    last4: string
    created_at: number
  }
  sign_ins: { secret_hash: string; created_at: number; expires_at: number }
  audit_entries: {
    entry_id: string
    created_at: number
    action: string
    params: string
    project_id: string | null
    body: string
    remote_address: string
    status: number | null
  }
}
