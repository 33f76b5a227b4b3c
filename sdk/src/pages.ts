/** What each page of a list has. */
export interface Page {
  /** `query.cursor` of the next page; undefined on the last one. */
  nextCursor: string | undefined
}

/** One page after the other, each fetched when the one before is read. */
export async function* everyPage<P extends Page>(
  fetchPage: (cursor: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let next: P | undefined
  do {
    next = await fetchPage(next?.nextCursor ? { cursor: next.nextCursor } : {})
    yield next
  } while (next.nextCursor)
}
