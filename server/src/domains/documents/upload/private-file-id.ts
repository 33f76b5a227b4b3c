import { newOpaqueId } from '../../../lib/ids.ts'

const prefix = 'v1_file_'

/** A random id for an end user's file. Old ids were made from user, file name and second; they stay valid. */
export function newPrivateFileId(): string {
  return newOpaqueId(prefix)
}

/** Prefixes of ids that only the server assigns: to end users' files (new and old ones), and to chunks. */
const reservedPrefixes = [prefix, 'v1_user_', 'chk_']

/**
 * True for ids that callers must not choose for a document. Otherwise the error for a taken id would reveal that an end
 * user has a file with this id.
 */
export function isReservedId(id: string): boolean {
  return reservedPrefixes.some((prefix) => id.startsWith(prefix))
}
