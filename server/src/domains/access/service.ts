import {
  CairnError,
  type CreatedKey,
  type CreateKey,
  type Deleted,
  defaultPermissions,
  type Key,
  type Project,
  type UpdateProject,
} from '@cairn/contract'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { sha256 } from '../../lib/hash.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import type { KeyPrincipal } from '../../lib/principals.ts'
import { storable } from '../../lib/storable.ts'
import { toIso } from '../../lib/time.ts'
import type { AccessStore, KeyRow, ProjectRow } from './store.ts'

/** The maximum time in milliseconds until this process notices a key that another process revoked. */
const keyCacheMs = 5_000
const maxCachedKeys = 10_000

function toProject(row: ProjectRow): Project {
  const { project_id, name, created_at, retention_days } = row
  return { project_id, name, created_at: toIso(created_at), retention_days: retention_days ?? 0 }
}

export function toKey(row: KeyRow): Key {
  const { key_id, name, permissions, last4 } = row
  return { key_id, name, permissions, last4, created_at: toIso(row.created_at) }
}

/**
 * Creates a key of a project (`tk_<key id>_<secret>`), or of a chat (`tk_<chat id>_<secret>`). The caller stores the row
 * with the hash; the token is not stored.
 */
export function newKey(
  owner: { projectId: string; chatId: string | null },
  request: CreateKey,
): { row: KeyRow; token: string; secretHash: string } {
  const keyId = newId('key_')
  const token = `tk_${owner.chatId ?? keyId.slice('key_'.length)}_${newSecret()}`
  const row: KeyRow = {
    key_id: keyId,
    project_id: owner.projectId,
    chat_id: owner.chatId,
    name: storable(request.name?.trim() ?? 'unnamed'),
    permissions: [...new Set(request.permissions ?? defaultPermissions)],
    last4: token.slice(-4),
    created_at: Date.now(),
  }
  return { row, token, secretHash: sha256(token) }
}

export class AccessService {
  readonly #store: AccessStore
  readonly #keys = new ExpiringCache<KeyPrincipal>(keyCacheMs, maxCachedKeys)

  constructor(store: AccessStore) {
    this.#store = store
  }

  async createProject(name: string): Promise<Project> {
    const row: ProjectRow = {
      project_id: newId('proj_'),
      name: storable(name.trim()),
      created_at: Date.now(),
      retention_days: null,
    }
    await this.#store.insertProject(row)
    return toProject(row)
  }

  async listProjects(): Promise<Project[]> {
    return (await this.#store.listProjects()).map(toProject)
  }

  async getProject(projectId: string): Promise<Project> {
    const row = await this.#store.findProject(projectId)
    if (!row) throw new CairnError('not_found', 'project not found')
    return toProject(row)
  }

  async projectExists(projectId: string): Promise<boolean> {
    return (await this.#store.findProject(projectId)) !== undefined
  }

  async updateProject(projectId: string, { name, retention_days }: UpdateProject): Promise<Project> {
    const changes = {
      ...(name != null && { name: storable(name.trim()) }),
      ...(retention_days != null && { retention_days }),
    }
    const hasChanges = Object.keys(changes).length > 0
    if (hasChanges && !(await this.#store.updateProject(projectId, changes))) {
      throw new CairnError('not_found', 'project not found')
    }
    return this.getProject(projectId)
  }

  async deleteProject(projectId: string): Promise<Deleted> {
    const found = await this.#store.startDeletion(projectId)
    this.#keys.clear()
    if (!found) throw new CairnError('not_found', 'project not found')
    return { success: true, message: 'project deleted with its data' }
  }

  async createProjectKey(projectId: string, request: CreateKey): Promise<CreatedKey> {
    const { row, token, secretHash } = newKey({ projectId, chatId: null }, request)
    if ((await this.#store.insertProjectKey(row, secretHash)) === 'no_project') {
      throw new CairnError('not_found', 'project not found')
    }
    return { ...toKey(row), api_key: token }
  }

  async listProjectKeys(projectId: string): Promise<Key[]> {
    await this.getProject(projectId)
    return (await this.#store.listProjectKeys(projectId)).map(toKey)
  }

  async listChatKeys(chatId: string): Promise<Key[]> {
    return (await this.#store.listChatKeys(chatId)).map(toKey)
  }

  async revokeKey(keyId: string): Promise<Deleted> {
    const found = await this.#store.deleteKey(keyId)
    this.#keys.clear()
    if (!found) throw new CairnError('not_found', 'key not found')
    return { success: true, message: 'key revoked' }
  }

  projectOfKey(keyId: string): Promise<string | undefined> {
    return this.#store.findProjectOfKey(keyId)
  }

  /** Clears the cache of keys. Call it after the deletion of a chat or project with keys. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  /**
   * Returns the owner of a key, undefined if the key is unknown. The lookup compares hashes, so its duration discloses
   * nothing about stored keys.
   */
  async findKey(token: string): Promise<KeyPrincipal | undefined> {
    if (!token.startsWith('tk_')) return undefined
    const hash = sha256(token)
    return this.#keys.getOrLoad(hash, async () => {
      const row = await this.#store.findKeyByHash(hash)
      if (!row) return undefined
      return {
        keyId: row.key_id,
        projectId: row.project_id,
        chatId: row.chat_id,
        permissions: new Set(row.permissions),
      }
    })
  }
}
