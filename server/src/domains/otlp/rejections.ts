/** Counts what a request contains but is not stored, with the reason of the first. */
export class Rejections {
  count = 0
  reason: string | undefined

  add(reason: string, count = 1): void {
    if (count === 0) return
    this.count += count
    this.reason ??= reason
  }
}
