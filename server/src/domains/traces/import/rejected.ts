import { constants } from 'node:fs'
import { open, rm, stat, truncate } from 'node:fs/promises'

export interface RejectedLine {
  line: number
  error: string
  /** Only the beginning if the line is too long. */
  text: string
}

/**
 * The file of rejected lines. It is written before the transaction that stores its size. Further bytes belong to an
 * unfinished step, so they are removed when the import continues.
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

  /** Truncates the file to its stored size. If the file was deleted, a new one is started. */
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
    // At a fixed position, because a concurrent import of the same file writes the same bytes before it notices the first.
    await handle.write(text, 0, text.length, this.#bytes)
    await handle.sync()
    this.#bytes += text.length
  }
}
