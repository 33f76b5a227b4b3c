/** Common part of all pages of lists. */
export interface Page {
  /** Pass it as `query.cursor` to get the next page; undefined on the last page. */
  nextCursor: string | undefined
}

/** All pages in order. Each page is fetched after the previous one was read. */
export async function* everyPage<P extends Page>(
  fetchPage: (cursor: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let next: P | undefined
  do {
    next = await fetchPage(next?.nextCursor ? { cursor: next.nextCursor } : {})
    yield next
  } while (next.nextCursor)
}
