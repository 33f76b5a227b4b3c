import { CairnError, limits } from '@cairn/contract'
import { isUniqueViolation } from '../../lib/database-error.ts'
import { sha256 } from '../../lib/hash.ts'
import { type IdempotencyStore, idempotencyInsert, type RowInsert } from './store/idempotency.ts'

/** A request that may be sent again; `route` keeps the same key apart on different endpoints. */
export interface RepeatableRequest {
  route: string
  key: string
  body: unknown
}

function checkKey(key: string): void {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return
  throw new CairnError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters')
}

/**
 * The first answer again for a request that was sent before with the same key and body; `conflict` for another
 * body. `write` puts the row it is given into its own transaction, so that of two requests at once only one writes.
 */
export async function answerOnce<T>(
  store: IdempotencyStore,
  projectId: string,
  request: RepeatableRequest,
  answer: T,
  write: (others: RowInsert[]) => Promise<void>,
): Promise<T> {
  checkKey(request.key)
  const keyHash = sha256(`${request.route} ${request.key}`)
  const requestHash = sha256(JSON.stringify(request.body))
  const now = Date.now()
  const known = async () => {
    const row = await store.find(projectId, keyHash)
    if (!row) return undefined
    if (row.created_at < now - limits.idempotencyMs) {
      await store.forget(projectId, now - limits.idempotencyMs)
      return undefined
    }
    if (row.request_hash === requestHash) return JSON.parse(row.response) as T
    throw new CairnError('conflict', 'this Idempotency-Key was used with another body')
  }
  const before = await known()
  if (before) return before
  try {
    await write([
      idempotencyInsert({
        project_id: projectId,
        key_hash: keyHash,
        request_hash: requestHash,
        response: JSON.stringify(answer),
        created_at: now,
      }),
    ])
    return answer
  } catch (error) {
    const meanwhile = isUniqueViolation(error) ? await known() : undefined
    if (meanwhile) return meanwhile
    throw error
  }
}
