/**
 * Relationships that are derived from chunks and not stored. HAS_CHUNK leads from a document to each of its chunks,
 * NEXT from a chunk to the following one. Their ids are also derived: `rel_`, the id of the target of HAS_CHUNK or of
 * the source of NEXT (without its prefix), and a letter for the type.
 */
export type LinkType = 'HAS_CHUNK' | 'NEXT'

const letters: Record<LinkType, string> = { HAS_CHUNK: 'c', NEXT: 'n' }
const types: Record<string, LinkType> = { c: 'HAS_CHUNK', n: 'NEXT' }

export function linkId(chunkId: string, type: LinkType): string {
  return `rel_${chunkId.slice('chk_'.length)}${letters[type]}`
}

/** Parses a derived id. The result may be wrong, because ids of stored relationships can end with the same letters. */
export function linkOf(relationshipId: string): { chunkId: string; type: LinkType } | undefined {
  const [, tail = '', letter = ''] = /^rel_(.+)([cn])$/.exec(relationshipId) ?? []
  const type = types[letter]
  return type && { chunkId: `chk_${tail}`, type }
}
