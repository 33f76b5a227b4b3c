import { constants } from 'node:fs'
import { open, rm, stat, truncate } from 'node:fs/promises'

export interface RejectedLine {
  line: number
  error: string
  /** Of a line that is too long only the beginning. */
  text: string
}

/**
 * The file in which lines are kept aside. It is written before the transaction that counts its bytes: what is
 * behind the counted bytes belongs to a step that was not finished, and is cut off when the import goes on.
 */
export class RejectedFile {
  readonly path: string
  #bytes = 0

  constructor(path: string) {
    this.path = path
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps the bytes that were counted; where somebody has taken the file away, it begins anew. */
  async restore(bytes: number): Promise<void> {
    const found = await stat(this.path).catch(() => undefined)
    this.#bytes = Math.min(bytes, found?.size ?? 0)
    if (!found) return
    if (this.#bytes === 0) await rm(this.path)
    else await truncate(this.path, this.#bytes)
  }

  async append(lines: readonly RejectedLine[]): Promise<void> {
    if (lines.length === 0) return
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await using handle = await open(this.path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    // At its place: a second import of the same file writes the same there, before it notices the first.
    await handle.write(text, 0, text.length, this.#bytes)
    await handle.sync()
    this.#bytes += text.length
  }
}
