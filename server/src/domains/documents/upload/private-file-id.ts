import { newOpaqueId } from '../../../lib/ids.ts'

const prefix = 'v1_file_'

/** The id of an end user's file. Earlier ones were made of the user, the file name and the second; they stay valid. */
export function newPrivateFileId(): string {
  return newOpaqueId(prefix)
}

/** Prefixes of ids that only the server gives: to end users' files (the second one to old files), and to chunks. */
const reservedPrefixes = [prefix, 'v1_user_', 'chk_']

/**
 * True for ids that callers must not choose for a document. If they could, the refusal of an id that is taken would tell
 * that an end user has a file with it.
 */
export function isReservedId(id: string): boolean {
  return reservedPrefixes.some((prefix) => id.startsWith(prefix))
}
