/** Counts the items of a request that are not stored, and keeps the first reason. */
export class Rejections {
  count = 0
  reason: string | undefined

  add(reason: string, count = 1): void {
    if (count === 0) return
    this.count += count
    this.reason ??= reason
  }
}
