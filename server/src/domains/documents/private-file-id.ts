import { newOpaqueId } from '../../lib/ids.ts'

const prefix = 'v1_file_'

/** The id of an end user's file. Earlier ones were made of the user, the file name and the second; they stay valid. */
export function newPrivateFileId(): string {
  return newOpaqueId(prefix)
}

/** How ids begin that only the server gives: of end users' files, old ones too, and of chunks. */
const reserved = [prefix, 'v1_user_', 'chk_']

/**
 * Whether nobody may choose this id for a document of their own. If they could, an id that is refused as taken would tell
 * that an end user has a file under it.
 */
export function isReservedId(id: string): boolean {
  return reserved.some((beginning) => id.startsWith(beginning))
}
