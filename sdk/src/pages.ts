/** Common part of all pages of lists. */
export interface Page {
  /** Pass it as `query.cursor` to get the next page; undefined on the last page. */
  nextCursor: string | undefined
}
