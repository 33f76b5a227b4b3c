/**
 * HAS_CHUNK leads from a document to each of its chunks, NEXT from a chunk to the one after it. Both follow from the
 * chunks, and so do their ids: the tail of the id of the chunk that HAS_CHUNK leads to, or NEXT begins at, and a letter.
 */
export type LinkType = 'HAS_CHUNK' | 'NEXT'

const endings: Record<LinkType, string> = { HAS_CHUNK: 'c', NEXT: 'n' }
const types: Record<string, LinkType> = { c: 'HAS_CHUNK', n: 'NEXT' }

export function linkId(chunkId: string, type: LinkType): string {
  return `rel_${chunkId.slice('chk_'.length)}${endings[type]}`
}

/** The chunk and the type that an id would stand for. Those of stored relationships have the same letters. */
export function linkOf(relationshipId: string): { chunkId: string; type: LinkType } | undefined {
  const [, tail = '', ending = ''] = /^rel_(.+)([cn])$/.exec(relationshipId) ?? []
  const type = types[ending]
  return type && { chunkId: `chk_${tail}`, type }
}
